import { describe, expect, it } from "vitest";
import { newDeviceText } from "../../../src/alerts/account-texts.ts";
import type { Alert } from "../../../src/alerts/alert.ts";
import { alertText } from "../../../src/alerts/alert-texts.ts";
import { backupIsOverdue } from "../../../src/alerts/backup-alerts.ts";
import { textsIn } from "../../../src/alerts/text.ts";

const english = textsIn("en");
const failing = (id: number, name = `Hook ${id}`): Alert => ({
  workspaceId: 7,
  kind: "webhook",
  stage: "failing_1_hour",
  subject: { id, name },
  detail: (t) => t("since {time}", { time: "2026-07-14 10:00 UTC" }),
});

describe("the text of an alert", () => {
  it("names the one webhook, since when, what to do and where", () => {
    const { subject, text } = alertText(english, {
      workspace: "Acme",
      alerts: [failing(3)],
      publicUrl: "https://chat.test",
    });
    expect(subject).toBe('[Acme] Webhook "Hook 3" has been failing for an hour');
    expect(text).toContain("- Hook 3: since 2026-07-14 10:00 UTC\n");
    expect(text).toContain("failed deliveries are retried");
    expect(text).toMatch(/\nhttps:\/\/chat\.test\/w\/7\/settings\/webhooks\/3\n$/);
  });

  it("is one for any number of webhooks, of which it lists the first twenty", () => {
    const alerts = Array.from({ length: 10_000 }, (_, n) => failing(n + 1)) as [Alert, ...Alert[]];
    const { subject, text } = alertText(english, { workspace: "Acme", alerts, publicUrl: null });
    expect(subject).toBe("[Acme] 10000 webhooks have been failing for an hour");
    expect(text.match(/^- Hook/gm)).toHaveLength(20);
    expect(text).toContain("\nand 9980 more\n");
    expect(text).not.toContain("http");
  });

  it("has times in the language of its reader", () => {
    const time = new Date("2026-07-14T10:00:00Z");
    const shown = (["en", "de", "es", "fr", "pt-BR"] as const).map((language) => textsIn(language)("{time}", { time }));
    expect(shown).toEqual([
      "Jul 14, 2026, 10:00 UTC",
      "14. Juli 2026, 10:00 UTC",
      "14 jul 2026, 10:00 UTC",
      "14 juil. 2026, 10:00 UTC",
      "14 de jul. de 2026, 10:00 UTC",
    ]);
  });

  it("keeps names that people chose on one short line", () => {
    const evil = `x\r\n\r\nYour account was closed: https://evil.test ${"y".repeat(5_000)}`;
    const { subject, text } = alertText(english, { workspace: evil, alerts: [failing(1, evil)], publicUrl: null });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text.split("\n").every((line) => line.length < 200)).toBe(true);
    expect(text).not.toMatch(/^Your account/m);
    const device = newDeviceText(english, { ip: "::1", userAgent: evil, at: new Date(0), url: "https://chat.test" });
    expect(device.text).not.toMatch(/^Your account/m);
  });
});

describe("a scheduled backup", () => {
  const now = new Date("2026-07-14T10:00:00Z");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const judge = (newest: Date | null, uptimeMinutes: number) =>
    backupIsOverdue({ newest, now, uptimeMs: uptimeMinutes * 60_000, everyHours: 24 });

  it("is overdue half an interval after one was due, if the server has run long enough to write one", () => {
    expect([judge(hoursAgo(1), 0), judge(hoursAgo(35), 600)]).toEqual([false, false]);
    expect([judge(hoursAgo(37), 600), judge(null, 600)]).toEqual([true, true]);
    expect([judge(hoursAgo(37), 5), judge(null, 5)]).toEqual([null, null]);
  });
});
