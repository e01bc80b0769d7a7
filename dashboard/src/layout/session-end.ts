export const TITLE = "Your session has ended";

export const leave = () => window.location.assign("/sign-in");
