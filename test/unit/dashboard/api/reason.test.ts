import { expect, it } from "vitest";
import { ApiError, reasonOf } from "../../../../dashboard/src/api/client.ts";

it("the reason of an error is what it says about its fields, else its message, and a plain sentence for a mistake of the page itself", () => {
  const details = { labels: ["labels must have at most 50 items."] };
  const refused = new ApiError(422, "VALIDATION_ERROR", "The given data was invalid.", { details });
  expect(reasonOf(refused)).toBe("labels must have at most 50 items.");
  expect(reasonOf(new ApiError(404, "NOT_FOUND", "There is no such conversation."))).toBe(
    "There is no such conversation.",
  );
  expect(reasonOf(new TypeError("undefined is not a function"))).toBe("Something went wrong in this page. Reload it.");
});
