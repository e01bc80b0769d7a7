/** The server's parts take as long to load as most commands to run, so only those commands that serve wait for them. */
export const loadApp = () => import("../app/app.ts");
