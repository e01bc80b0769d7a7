import { expect, it } from "vitest";
import { createFetchTurns } from "../../../src/email/imap/turns.ts";

const never = () => new Promise<never>(() => {});

it("a slow server loses its turn, one too many is disconnected, and others are read", async () => {
  const bounds = { atOnce: 1, perWorkspace: 1, slowAtOnce: 1, allPerWorkspace: 2, waitingPerWorkspaceMax: 10 };
  const inTurn = createFetchTurns(bounds);
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
