import { Page } from "../../components/page.tsx";

export const InvitationPage = () => <Page title="InvitationPage">Soon.</Page>;
