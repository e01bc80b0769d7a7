import type { Command } from "commander";
import { readVersion } from "../core/package-files.ts";
import { note } from "./output.ts";
import { openRemote, type RemoteOptions, remoteCommand } from "./remote.ts";

export function mcpCommand(): Command {
  return remoteCommand("mcp")
    .description("Serve the Model Context Protocol on standard input and output, for an assistant on this machine.")
    .option("--allow-send", "offer tools that send messages to customers", false)
    .action(async (options: RemoteOptions & { allowSend: boolean }) => {
      const { parley, url } = await openRemote(options);
      const { scopes } = await parley.me();
      // Loaded here: the other commands do not wait for the protocol's library.
      const [{ serveStdio }, { createMcpServer }] = await Promise.all([
        import("@modelcontextprotocol/server/stdio"),
        import("../mcp/server.ts"),
      ]);
      const closed = new Promise<void>((resolve) => process.stdin.once("close", resolve));
      const onerror = (error: Error): void => note(`parley mcp: ${error.message}`);
      const offered = { parley, scopes, allowSend: options.allowSend, version: readVersion() };
      const handle = serveStdio(() => createMcpServer(offered), { onerror });
      // Standard output belongs to the protocol.
      note(`Serving the tools of ${url} on standard input and output.`);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void handle.close());
      await closed;
    });
}
