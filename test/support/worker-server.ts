import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

interface WorkerServer {
  url: string;
  close(): Promise<void>;
}

/**
 * The dashboard of `target` with more code before that of its worker. A route of Playwright would be too little: Chromium
 * looks for a newer worker past it, and would replace this one by the original.
 */
export async function serveWithWorker(target: string, before: string): Promise<WorkerServer> {
  const server = createServer((incoming, outgoing) => {
    const isWorker = incoming.url?.startsWith("/service-worker.js") ?? false;
    const options = { method: incoming.method, headers: incoming.headers };
    const forwarded = request(target + incoming.url, options, (response) => {
      const { "content-length": _changes, ...headers } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, isWorker ? headers : response.headers);
      if (isWorker) outgoing.write(before);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    if (isWorker) forwarded.setHeader("accept-encoding", "identity").removeHeader("if-none-match");
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
