import { afterEach, describe, expect, it } from "vitest";
import {
  checkDestination,
  createAddressPolicy,
  createOutbound,
  type Lookup,
  type Outbound,
  type OutboundOptions,
  type OutboundResult,
} from "../../../src/url-guard/index.ts";
import { onRequests, type RawReceiver, rawResponse, startReceiver } from "./raw-receiver.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function outbound(allowedCidrs: string[], lookup?: Lookup, more: Partial<OutboundOptions> = {}): Outbound {
  const policy = createAddressPolicy({ allowedCidrs });
  const made = createOutbound({ policy, userAgent: "Parley/test", ...(lookup ? { lookup } : {}), ...more });
  closers.push(() => made.close({ graceMs: 0 }));
  return made;
}

async function okReceiver(host = "127.0.0.1", port = 0, headers: string[] = []): Promise<RawReceiver> {
  const made = await startReceiver(
    (socket) => onRequests(socket, () => socket.write(rawResponse("200 OK", "ok", headers))),
    {
      host,
      port,
    },
  );
  closers.push(() => made.close());
  return made;
}

function post(from: Outbound, url: string): Promise<OutboundResult> {
  return from.send({ url, headers: { "content-type": "application/json" }, body: "{}", timeoutMs: 5000 });
}

/** Gives the next list of addresses at each lookup; the last one repeats. */
function inTurn(...lists: string[][]): Lookup & { calls: number } {
  const lookup = async () => {
    const list = lists[Math.min(lookup.calls++, lists.length - 1)] ?? [];
    return list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  lookup.calls = 0;
  return lookup;
}

const REFUSED = { statusCode: 0, error: { code: "refused_address" }, address: null };

describe("guarded connector", () => {
  it.each(["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::127.0.0.1]"])(
    "never connects to the literal %s",
    async (host) => {
      const receiver = await okReceiver();
      const result = await post(outbound([]), `http://${host}:${receiver.port}/`);
      expect(result).toMatchObject(REFUSED);
      await receiver.settled();
      expect(receiver.connections).toBe(0);
    },
  );

  it("refuses an open and a closed private port in the same words", async () => {
    const receiver = await okReceiver();
    const closedPort = await okReceiver();
    await closedPort.close();
    closers.pop();
    const from = outbound([]);
    const open = await post(from, receiver.url);
    const shut = await post(from, closedPort.url);
    expect(open.error).toEqual(shut.error);
    expect(open.error?.message).not.toContain("127");
  });

  it("never connects when one address among several is private", async () => {
    const receiver = await okReceiver();
    for (const list of [
      ["127.0.0.1", "10.0.0.1"],
      ["10.0.0.1", "127.0.0.1"],
      ["127.0.0.1", "::ffff:192.168.0.1"],
    ]) {
      const result = await post(outbound(["127.0.0.0/8"], inTurn(list)), `http://hooks.example.com:${receiver.port}/`);
      expect(result).toMatchObject(REFUSED);
    }
    await receiver.settled();
    expect(receiver.connections).toBe(0);
  });

  it("never connects when the name is rebound between check and connect", async () => {
    const receiver = await okReceiver();
    const lookup = inTurn(["8.8.8.8"], ["127.0.0.1"]);
    const policy = createAddressPolicy({ allowedCidrs: [] });
    const url = `http://rebind.example.com:${receiver.port}/`;
    expect(await checkDestination(url, { policy, lookup })).toMatchObject({ ok: true });
    expect(await post(outbound([], lookup), url)).toMatchObject(REFUSED);
    await receiver.settled();
    expect(receiver.connections).toBe(0);
  });

  it("looks up once for a connection, so that a second result cannot be used", async () => {
    const good = await okReceiver("127.0.0.2");
    const bad = await okReceiver("127.0.0.1", good.port);
    const lookup = inTurn(["127.0.0.2"], ["127.0.0.1"]);
    const result = await post(outbound(["127.0.0.2/32"], lookup), `http://rebind.example.com:${good.port}/`);
    expect(result).toMatchObject({ statusCode: 200, error: null, address: "127.0.0.2" });
    expect(lookup.calls).toBe(1);
    await bad.settled();
    expect(bad.connections).toBe(0);
  });

  it("judges again for every new connection: rebinding between attempts gains nothing", async () => {
    const good = await okReceiver("127.0.0.2", 0, ["connection: close"]);
    const bad = await okReceiver("127.0.0.1", good.port);
    const from = outbound(["127.0.0.2/32"], inTurn(["127.0.0.2"], ["127.0.0.1"]));
    expect(await post(from, `http://rebind.example.com:${good.port}/`)).toMatchObject({ statusCode: 200 });
    expect(await post(from, `http://rebind.example.com:${good.port}/`)).toMatchObject(REFUSED);
    await bad.settled();
    expect(bad.connections).toBe(0);
  });

  it("follows no redirect", async () => {
    const other = await okReceiver();
    const redirecting = await startReceiver((socket) =>
      onRequests(socket, () => socket.write(rawResponse("307 Temporary Redirect", "", [`location: ${other.url}`]))),
    );
    closers.push(() => redirecting.close());
    const result = await post(outbound(["127.0.0.0/8"]), redirecting.url);
    expect(result).toMatchObject({ statusCode: 307, error: null });
    expect(result.headers).toContainEqual(["location", other.url]);
    await other.settled();
    expect(other.connections).toBe(0);
  });

  it("ignores proxies from the environment", async () => {
    const proxy = await okReceiver();
    const receiver = await okReceiver();
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await post(outbound(["127.0.0.0/8"]), receiver.url)).toMatchObject({ statusCode: 200 });
    } finally {
      names.forEach((name, index) => {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      });
    }
    await proxy.settled();
    expect(proxy.connections).toBe(0);
  });

  it("tries the next address when one refuses the connection", async () => {
    const receiver = await okReceiver("127.0.0.1");
    const from = outbound(["127.0.0.0/8"], inTurn(["127.0.0.3", "127.0.0.4", "127.0.0.1"]));
    const result = await post(from, `http://hooks.example.com:${receiver.port}/`);
    expect(result).toMatchObject({ statusCode: 200, address: "127.0.0.1" });
  });

  it("says what went wrong before there was a connection", async () => {
    const receiver = await okReceiver();
    await receiver.close();
    closers.pop();
    const open = outbound(["127.0.0.0/8"]);
    expect((await post(open, receiver.url)).error).toEqual({ code: "connect_refused", message: "connection refused" });

    const fails = (code: string) => outbound([], () => Promise.reject(Object.assign(new Error(), { code })));
    const error = async (from: Outbound) => (await post(from, "http://hooks.example.com/")).error;
    expect(await error(fails("ENOTFOUND"))).toEqual({ code: "dns", message: "the host name does not resolve" });
    expect(await error(fails("ETIMEOUT"))).toEqual({ code: "dns", message: "the name server did not respond" });
    expect(await error(outbound([], inTurn([])))).toMatchObject({ code: "dns" });
  });

  it("counts the lookup in the deadline", async () => {
    const from = outbound([], () => new Promise(() => {}));
    const result = await from.send({ url: "http://hooks.example.com/", headers: {}, body: "", timeoutMs: 60 });
    expect(result.error).toEqual({ code: "timeout", message: "timed out after 0.06 s while looking up the host name" });
  });

  it("connects over IPv6 literals too", async ({ skip }) => {
    const receiver = await okReceiver("::1").catch(() => null);
    if (receiver === null) return skip("this machine has no IPv6 loopback");
    expect(await post(outbound([]), receiver.url)).toMatchObject(REFUSED);
    expect(await post(outbound(["::1/128"]), receiver.url)).toMatchObject({ statusCode: 200, address: "::1" });
  });
});
