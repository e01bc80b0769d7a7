import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

describe("GET /api-keys", () => {
  it("answers records with the documented fields and no secret", async () => {
    const made = await parley.createKey({ name: "Reader", description: "reads" });
    const { status, body, text } = await parley.call("GET", "/api-keys");
    expect(status).toBe(200);
    expect(body.success).toBe(true);
    const found = body.data.find((key: { id: number }) => key.id === made.id);
    expect(found).toMatchObject({ name: "Reader", description: "reads", type: "full", abilities: ["*"], is_active: true });
    expect(text).not.toContain(made.key);
  });
});
