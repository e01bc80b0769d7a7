import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { bytesLoaded, gotoSettled, launchChromium, layoutShift, navigate, openPage, type Watched } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley, { workspace_name: "Acme" });
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

async function inWindow(options: Parameters<typeof openPage>[2], walk: (window: Watched) => Promise<void>) {
  const window = await openPage(browser, parley, options);
  try {
    await walk(window);
  } finally {
    await window.close();
  }
}

/** Lets the page read its session again, and keeps the response, which the server has sent, until it may arrive. */
async function holdNextSession(page: Watched["page"]): Promise<{ arrive(): Promise<void> }> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent = new Promise<void>((resolve) => {
    void page.route("**/dashboard-api/session", async (route) => {
      const response = await route.fetch();
      resolve();
      await held;
      await route.fulfill({ response });
    });
  });
  await page.clock.fastForward(61_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await sent;
  return {
    async arrive() {
      const arrived = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/session"));
      release();
      await arrived;
      await page.unroute("**/dashboard-api/session");
    },
  };
}

describe("signing in", () => {
  const signIn = async ({ page }: Watched, email: string, password: string) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  it("continues to the page that was requested, and out again", async () => {
    await inWindow({}, async (window) => {
      const { page } = window;
      await page.clock.install();
      await page.goto("/settings/members");
      await signIn(window, "olive@example.com", PASSWORD);
      await page.getByRole("heading", { name: "Members" }).waitFor();
      const members = new URL(page.url()).pathname;
      const late = await holdNextSession(page);
      await page.getByRole("button", { name: /olive@example.com/ }).click();
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      // What the server sent before it signed out does not bring the session back.
      await late.arrive();
      await navigate(page, members);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.goto("/settings/members");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    });
  });

  it("ends without an error when a part of the page is rendered again before the timers of the sign-out", async () => {
    await inWindow({}, async (window) => {
      const { page } = window;
      await page.clock.install();
      await page.goto("/settings/members");
      await signIn(window, "olive@example.com", PASSWORD);
      await page.getByRole("heading", { name: "Members" }).waitFor();
      await page.getByRole("button", { name: /olive@example.com/ }).click();
      await page.clock.pauseAt(Date.now() + 60_000);
      const signedOut = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/sign-out"));
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      await signedOut;
      await page.getByRole("button", { name: /olive@example.com/ }).click();
      await page.getByRole("menuitemradio", { name: "Dark" }).click();
      await page.clock.resume();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(window.errors).toEqual([]);
    });
  });

  it("shows no form that the set-up page could replace, and fills in the account that a link names", async () => {
    await inWindow({}, async ({ page }) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/dashboard-api/setup", async (route) => {
        await held;
        await route.continue();
      });
      await Promise.all([page.waitForRequest("**/dashboard-api/setup"), page.goto("/sign-in")]);
      expect(await page.getByLabel("E-mail").count()).toBe(0);
      release();
      await page.getByLabel("E-mail").waitFor();
      await page.goto("/sign-in?email=mara%40fernweh.example");
      await expect.poll(() => page.getByLabel("E-mail").inputValue()).toBe("mara@fernweh.example");
      await page.locator("input[type=password]:focus").waitFor();
    });
  });

  it("follows no link that leads elsewhere", async () => {
    await inWindow({}, async (window) => {
      await window.page.goto(`/sign-in?next=${encodeURIComponent("//example.com/")}`);
      await signIn(window, "olive@example.com", PASSWORD);
      await window.page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
      expect(window.outside).toEqual([]);
    });
  });

  it("shows the wait after too many wrong passwords", async () => {
    await inWindow({}, async (window) => {
      const { page } = window;
      await page.goto("/sign-in");
      await signIn(window, "mallory@example.com", "wrong password 0");
      await page.getByText("The e-mail address or the password is wrong.").waitFor();
      for (let attempt = 1; attempt <= 9; attempt += 1) {
        const responded = page.waitForResponse("**/dashboard-api/sign-in");
        await signIn(window, "mallory@example.com", `wrong password ${attempt}`);
        await responded;
      }
      await signIn(window, "mallory@example.com", "wrong password 10");
      await page.getByText("Too many attempts").waitFor();
      await page.getByText(/^Try again in \d+ minutes?( \d+ seconds?)?\.$/).waitFor();
    });
  });
});

describe("roles and workspaces", () => {
  it("an agent reaches no settings, neither by navigation nor by address", async () => {
    const agent = await join(parley, owner, "agent", "amira@example.com");
    await inWindow({ as: agent }, async ({ page }) => {
      await page.goto("/");
      await page.getByRole("heading", { name: "Inbox", exact: true }).waitFor();
      expect(await page.getByRole("link", { name: "API Keys" }).count()).toBe(0);
      for (const path of ["/settings/api-keys", "/settings/api-keys/1", "/settings/webhooks", "/settings/members"]) {
        await page.goto(path);
        await page.getByRole("heading", { name: "This page is for owners and admins" }).waitFor();
      }
    });
    expect((await agent.call("GET", "//api/v1/api-keys")).status).toBe(403);
    expect((await agent.call("GET", "/members")).status).toBe(403);
  });

  it("an agent is led from the settings to the page open to agents, and reads no keys to the others", async () => {
    const agent = await join(parley, owner, "agent", "ines@example.com");
    await inWindow({ as: agent }, async ({ page }) => {
      await page.goto("/w/1/settings");
      await page.getByRole("heading", { name: "Saved replies", exact: true }).waitFor();
      await page.keyboard.press("Shift+?");
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await help.getByText("Go to contacts").waitFor();
      expect(await help.getByText(/overview|webhooks|API keys/).count()).toBe(0);
    });
  });

  it("a page shows nothing of another workspace", async () => {
    const other = await parley.createWorkspace();
    const theirs = await parley.createKey({ name: "Their secret project" }, { key: other.key });
    await inWindow({ as: owner }, async ({ page }) => {
      await page.goto("/settings/api-keys?state=all");
      await page.getByRole("table").waitFor();
      expect(await page.getByText("Their secret project").count()).toBe(0);
      await page.goto(`/settings/api-keys/${theirs.id}`);
      await page.getByRole("heading", { name: "Not found" }).waitFor();
    });
  });

  it("an address of a workspace one does not belong to says so and shows nothing of it", async () => {
    const other = await parley.createWorkspace();
    await inWindow({ as: owner }, async ({ page }) => {
      await page.goto(`/w/${other.id}/settings/api-keys`);
      await page.getByRole("heading", { name: "No such workspace" }).waitFor();
      await page.getByRole("link", { name: "Go to your workspace" }).click();
      await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    });
  });

  it("the sidebar collapses to icons and stays so after a reload", async () => {
    await inWindow({ as: owner }, async ({ page }) => {
      await page.goto("/settings/members");
      const width = async () => (await page.getByRole("complementary", { name: "Sidebar" }).boundingBox())?.width;
      await page.getByRole("button", { name: "Collapse sidebar" }).click();
      await expect.poll(width).toBeLessThan(70);
      await page.reload();
      await page.getByRole("button", { name: "Expand sidebar" }).waitFor();
      await expect.poll(width).toBeLessThan(70);
      await page.getByRole("link", { name: "API Keys" }).click();
      await page.getByRole("heading", { name: "API Keys" }).waitFor();
    });
  });

  it("the address names the workspace, so that two workspaces of one person stay apart in each tab", async () => {
    await parley.createKey({ name: "Only in Acme" });
    const { body } = await owner.call("POST", "/workspaces", { name: "Staging" });
    await inWindow({ as: owner }, async ({ page }) => {
      await page.goto("/settings/api-keys");
      await page.getByRole("link", { name: "Only in Acme" }).waitFor();
      await page.getByRole("button", { name: /Acme/ }).click();
      await page.getByRole("menuitemradio", { name: "Staging" }).click();
      await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
      await page.getByRole("link", { name: "API Keys" }).click();
      await page.getByText("No keys yet").waitFor();
      expect(await page.getByText("Only in Acme").count()).toBe(0);
      await page.reload();
      await page.getByText("No keys yet").waitFor();
      expect(new URL(page.url()).pathname).toBe(`/w/${body.data.id}/settings/api-keys`);
    });
  });

  it("an invitation link lets its recipient in", async () => {
    await inWindow({ as: owner }, async ({ page }) => {
      await page.goto("/settings/members");
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.getByLabel("E-mail").fill("jonas@example.com");
      await page.getByRole("radio", { name: "Admin" }).check();
      await page.getByRole("button", { name: "Create link" }).click();
      const link = (await page.locator("[data-secret]").textContent()) ?? "";
      await page.keyboard.press("Control+k");
      // The dialog takes the key after that as before, and nothing lies over it.
      await page.keyboard.press("Tab");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await inWindow({}, async ({ page: theirs }) => {
        await theirs.goto(link);
        await theirs.getByRole("heading", { name: "Join Acme" }).waitFor();
        await theirs.getByLabel("Your name").fill("Jonas");
        await theirs.getByLabel("Password").fill(PASSWORD);
        await theirs.getByRole("button", { name: "Join workspace" }).click();
        await theirs.getByRole("heading", { name: "Overview", exact: true }).waitFor();
      });
      await page.getByRole("button", { name: "Done" }).click();
      await page.reload();
      await page.getByLabel("Role of Jonas").selectOption("agent");
      await page.getByRole("button", { name: "Change role" }).click();
      await page.getByText("Jonas is now an agent.").waitFor();
      await page.getByRole("button", { name: "Remove Jonas" }).click();
      await page.getByRole("button", { name: "Remove member" }).click();
      await page.getByText("Jonas is no longer a member.").waitFor();
    });
  });
});

describe("what is served", () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(parley.url + path, { headers: { accept: "text/html,*/*;q=0.8", ...headers } });

  it("is the page for a browser, and JSON for every other client", async () => {
    for (const path of ["/", "/sign-in", "/settings/api-keys/7", "/no/such/page"]) {
      const reply = await get(path);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(reply.headers.get("cache-control")).toBe("no-cache");
      const other = await get(path, { accept: "application/json" });
      expect([other.status, other.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
      // What curl sends: the address that the start prints is there for it, too.
      expect([path, (await get(path, { accept: "*/*" })).status]).toEqual([path, path === "/" ? 200 : 404]);
    }
    for (const path of [
      "/api",
      "/api/v1/nothing",
      "/api/v2/me",
      "/dashboard-api/nothing",
      "/health/x",
      "/assets/x.js",
    ]) {
      const reply = await get(path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(await reply.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    }
    expect((await fetch(`${parley.url}/sign-in`, { method: "POST" })).status).toBe(404);
  });

  it("has a strict policy, and nothing in line", async () => {
    const reply = await get("/");
    expect(reply.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'",
    );
    expect(await reply.text()).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it("is compressed, cached permanently if its name has a digest, and revalidated otherwise", async () => {
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get("/")).text())?.[1] ?? "";
    for (const encoding of ["br", "gzip"]) {
      const reply = await get(script, { "accept-encoding": encoding });
      expect(reply.headers.get("content-encoding")).toBe(encoding);
      expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    expect((await get(script, { "accept-encoding": "identity" })).headers.get("content-encoding")).toBeNull();
    expect((await get(script, { "accept-encoding": "br;q=0" })).headers.get("content-encoding")).toBeNull();
    expect((await fetch(parley.url + script, { method: "PUT" })).status).toBe(405);
    const etag = (await get("/")).headers.get("etag") ?? "";
    expect((await get("/", { "if-none-match": etag })).status).toBe(304);
  });

  it.each([
    "/sign-in",
    "/inbox",
    "/contacts",
    "/overview",
    "/events",
    "/settings/api-keys",
    "/settings/webhooks",
    "/settings/members",
  ])("%s loads with at most 200 kB and moves nothing once it is shown", async (path) => {
    await inWindow(path === "/sign-in" ? {} : { as: owner }, async ({ page }) => {
      await gotoSettled(page, path);
      const bytes = await bytesLoaded(page);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThan(200_000);
      expect(await layoutShift(page)).toBeLessThan(0.1);
    });
  });
});
