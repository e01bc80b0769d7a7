import { Parley } from "@parley/client";
import { expect, it, vi } from "vitest";
import { createMcpServer } from "../../../src/mcp/server.ts";
import { TOOLS } from "../../../src/mcp/tools.ts";

it("does not compile again for each request what its tools take", () => {
  const parley = new Parley({ url: "http://parley.invalid", key: "unused" });
  const scopes = TOOLS.flatMap((tool) => tool.scopes);
  const compile = vi.spyOn(globalThis, "Function");
  createMcpServer({ parley, scopes, allowSend: true, version: "1" });
  expect(compile).not.toHaveBeenCalled();
});
