import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, whenSignedOut } from "./api/client.ts";
import { SESSION_KEY } from "./api/session.ts";
import { App } from "./app.tsx";
import "./styles.css";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refused it will refuse again; only a missing or failing server is worth another try.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
});

whenSignedOut(() => client.setQueryData(SESSION_KEY, null));

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
