import { expect, it, vi } from "vitest";
import { ApiError, api, dashboardApi, reasonOf } from "../../../../dashboard/src/api/client.ts";

it("the reason of an error is what it says about its fields, else its message, else a plain sentence", () => {
  const details = { labels: ["labels must have at most 50 items."] };
  const refused = new ApiError({ status: 422, code: "VALIDATION_ERROR", message: "Invalid.", details });
  expect(reasonOf(refused)).toBe("labels must have at most 50 items.");
  expect(reasonOf(new ApiError({ status: 404, code: "NOT_FOUND", message: "There is no such conversation." }))).toBe(
    "There is no such conversation.",
  );
  expect(reasonOf(new TypeError("undefined is not a function"))).toBe("Something went wrong in this page. Reload it.");
});

it("every request of the dashboard asks for strict handling, so that a misspelt field is an error", async () => {
  const sent: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get("prefer"));
    return Response.json({ success: true, data: {} });
  });
  vi.stubGlobal("window", { location: { pathname: "/w/1/inbox", origin: "https://parley.test" } });
  try {
    await api("PATCH", "/conversations/1", { body: { subject: "New" } });
    await dashboardApi("GET", "/session");
    expect(sent).toEqual(["handling=strict", "handling=strict"]);
  } finally {
    vi.unstubAllGlobals();
  }
});

it("a session that has ended is called that, and not a missing API key; a wrong password stays one", async () => {
  const message = "The API key is missing, invalid or revoked.";
  const refused = async () => Response.json({ error: { code: "UNAUTHORIZED", message } }, { status: 401 });
  vi.stubGlobal("fetch", refused);
  vi.stubGlobal("window", { location: { pathname: "/w/1/inbox", origin: "https://parley.test" } });
  try {
    const ended = await api<Error>("POST", "/conversations/1/messages").catch((error) => error);
    expect(reasonOf(ended)).toBe("You are signed out. Sign in again, then retry.");
    const wrong = await dashboardApi<Error>("POST", "/sign-in").catch((error) => error);
    expect(reasonOf(wrong)).toBe(message);
  } finally {
    vi.unstubAllGlobals();
  }
});
