import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createFetchTurns } from "../../../src/email/imap/turns.ts";

type Bounds = Parameters<typeof createFetchTurns>[0];
const turns = (bounds: Omit<Bounds, "slowMs" | "waitingPerWorkspaceMax">) =>
  createFetchTurns({ slowMs: 100, waitingPerWorkspaceMax: 10, ...bounds });
const never = () => new Promise<never>(() => {});

it("a slow server finds room where a workspace has more of them than others", async () => {
  const inTurn = turns({ atOnce: 4, perWorkspace: 3, slowAtOnce: 3, allPerWorkspace: 3 });
  const greedy = [1, 2, 3].map(() => inTurn(1, ({ fetch }) => fetch(never)).catch(({ code }) => code));
  const slow = inTurn(2, ({ fetch }) => fetch(() => sleep(1_000, "at last")));
  expect(await slow).toBe("at last");
  expect(await Promise.race(greedy)).toBe("ETIMEOUT");
});

it("a slow server loses its turn, one too many is disconnected, and others are read", async () => {
  const inTurn = turns({ atOnce: 1, perWorkspace: 1, slowAtOnce: 1, allPerWorkspace: 2 });
  let end = (_text: string) => {};
  const slow = inTurn(1, ({ fetch }) =>
    fetch(
      () =>
        new Promise<string>((resolve) => {
          end = resolve;
        }),
    ),
  );
  await expect(inTurn(1, ({ fetch }) => fetch(never))).rejects.toMatchObject({ code: "ETIMEOUT" });
  expect(await inTurn(2, ({ fetch }) => fetch(async () => "quick"))).toBe("quick");
  end("at last");
  expect(await slow).toBe("at last");
});
