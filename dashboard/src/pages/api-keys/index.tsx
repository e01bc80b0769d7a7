import { Page } from "../../components/page.tsx";

export const ApiKeysPages = () => <Page title="ApiKeysPages">Soon.</Page>;
