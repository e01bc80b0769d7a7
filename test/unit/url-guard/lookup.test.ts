import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLookup, type Lookup } from "../../../src/url-guard/lookup.ts";
import { readSystemFiles } from "../../../src/url-guard/system-files.ts";
import { type DnsServer, serveDns } from "../../support/dns-server.ts";

let dns: DnsServer;
let lookup: Lookup;
const silent = createSocket("udp4");

function filesOf(hosts: string, resolvConf: string) {
  const folder = mkdtempSync(join(tmpdir(), "parley-names-"));
  writeFileSync(join(folder, "hosts"), hosts);
  writeFileSync(join(folder, "resolv.conf"), resolvConf);
  return readSystemFiles({ hosts: join(folder, "hosts"), resolvConf: join(folder, "resolv.conf") });
}

async function bound(socket = createSocket("udp4")) {
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { socket, server: `127.0.0.1:${(socket.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  const { socket, server } = await bound();
  dns = serveDns(socket);
  dns.set("both.example", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
  dns.set("printer.office.example", ["192.0.2.9"]);
  const files = filesOf(
    "127.0.0.1 localhost\n192.0.2.77 Listed.example alias # a comment\n2001:db8::77 listed.example\n",
    "search office.example other.example\n",
  );
  lookup = createLookup({ servers: [server], files });
});

afterAll(() => {
  dns.close();
  silent.close();
});

const addresses = async (name: string) => (await lookup(name)).map(({ address }) => address);

describe("a lookup", () => {
  it("finds the addresses of both families, in turns", async () => {
    expect(await addresses("both.example")).toEqual(["2001:db8::1", "192.0.2.1", "192.0.2.2"]);
  });

  it("takes the hosts file before the name server", async () => {
    expect(await addresses("listed.EXAMPLE")).toEqual(["192.0.2.77", "2001:db8::77"]);
    expect(await addresses("alias.")).toEqual(["192.0.2.77"]);
  });

  it("keeps names below localhost on this machine", async () => {
    expect(await addresses("app.localhost")).toEqual(["127.0.0.1", "::1"]);
  });

  it("asks for a short name under the search domains", async () => {
    expect(await addresses("printer")).toEqual(["192.0.2.9"]);
    await expect(lookup("printer.")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("says that a name does not exist", async () => {
    await expect(lookup("missing.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("ends when it is canceled, while its name server stays silent", async () => {
    const { server } = await bound(silent);
    const caller = new AbortController();
    const canceled = createLookup({ servers: [server] })("slow.example", { signal: caller.signal });
    caller.abort();
    await expect(canceled).rejects.toMatchObject({ code: "ECANCELLED" });
  });
});
