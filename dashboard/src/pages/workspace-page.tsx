import { Page } from "../components/page.tsx";

export const WorkspacePage = () => <Page title="WorkspacePage">Soon.</Page>;
