import { Page } from "../../components/page.tsx";

export const MembersPage = () => <Page title="MembersPage">Soon.</Page>;
