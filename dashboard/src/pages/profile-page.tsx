import { Page } from "../components/page.tsx";

export const ProfilePage = () => <Page title="ProfilePage">Soon.</Page>;
