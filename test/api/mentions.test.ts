import { afterAll, beforeAll, expect, it } from "vitest";
import { membersIn } from "../../src/conversations/mentions.ts";
import { type Browser, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
let agent: Browser;
let ownerUser: Any;
let agentUser: Any;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
  ownerUser = (await owner.call("GET", "/session")).body.data.user;
  agentUser = (await agent.call("GET", "/session")).body.data.user;
});
afterAll(() => parley.close());

const { made, got, wrongFields } = wordsOf(() => parley);
const api = (browser: Browser, method: string, path: string, body?: object) =>
  browser.call(method, `//api/v1${path}`, body);
/** Read once the conversation has an event of this type: events get their position after the commit. */
async function mentionsOf(id: number): Promise<Any[]> {
  const read = async () => (await got(`/events?conversation_id=${id}&type=conversation.mentioned`)).data;
  await expect.poll(async () => (await read()).length).toBeGreaterThan(0);
  return read();
}

it("a note of a key means the members it names, and one event says so", async () => {
  const { id } = await made("/conversations");
  const note = { body: "Look", private: true, mentions: [agentUser.id, agentUser.uuid, ownerUser.id] };
  const message = await made(`/conversations/${id}/messages`, note);
  expect(message.mentions).toEqual([agentUser.id, ownerUser.id]);
  expect((await got(`/conversations/${id}/messages/${message.id}`)).data.mentions).toEqual(message.mentions);
  const [event, ...more] = await mentionsOf(id);
  expect(more).toEqual([]);
  expect(event.data).toMatchObject({ id, conversation: { id }, message: { id: message.id } });
  expect(event.data.members.map(({ id: member }: Any) => member)).toEqual([agentUser.id, ownerUser.id]);
  expect((await made(`/conversations/${id}/messages`, { body: "x" })).mentions).toEqual([]);
});

it("a note of a person mentions those whose name follows an @, and the event leaves its author out", async () => {
  const { id } = await made("/conversations");
  const path = `/conversations/${id}/messages`;
  const body = `@${agentUser.name.toUpperCase()} and @${ownerUser.name}: see a@${agentUser.name}.`;
  const { data } = (await api(owner, "POST", path, { body, private: true })).body;
  expect(data.mentions.sort()).toEqual([ownerUser.id, agentUser.id].sort());
  expect((await mentionsOf(id)).map((event) => event.data.members.map((member: Any) => member.id))).toEqual([
    [agentUser.id],
  ]);
  expect((await api(owner, "POST", path, { body: `@${ownerUser.name}`, private: true })).status).toBe(201);
  const reply = await api(owner, "POST", path, { body: `@${agentUser.name}` });
  expect(reply.body.data.mentions).toEqual([]);
  const fromKey = await made(path, { body: `@${agentUser.name}`, private: true });
  expect(fromKey.mentions).toEqual([]);
  await made(path, { body: "The last", private: true, mentions: [ownerUser.id] });
  await expect.poll(async () => (await mentionsOf(id)).length).toBe(2);
});

it("a draft of a person that is sent as a note mentions those it names", async () => {
  const { id } = await made("/conversations");
  const draft = { body: `@${agentUser.name}`, private: true };
  const { data } = (await api(owner, "POST", `/conversations/${id}/drafts`, draft)).body;
  const sent = await api(owner, "POST", `/conversations/${id}/drafts/${data.id}/send`);
  expect(sent.body.data.mentions).toEqual([agentUser.id]);
});

it("mentioned=me lists what means the reader, counted until it is read, and keys get a 422", async () => {
  const { id } = await made("/conversations", { status: "resolved" });
  const listed = async (browser: Browser, query = "") =>
    (await api(browser, "GET", `/conversations?mentioned=me${query}`)).body.data.map((one: Any) => one.id);
  const count = async () => (await api(agent, "GET", "/conversations/counts")).body.data.mentioned;
  const before = await count();
  await made(`/conversations/${id}/messages`, { body: "Look", private: true, mentions: [agentUser.id] });
  expect(await listed(agent)).toContain(id);
  expect(await listed(agent, "&status=resolved")).toEqual([id]);
  expect(await listed(owner)).not.toContain(id);
  expect(await count()).toBe(before + 1);
  await api(agent, "POST", `/conversations/${id}/read`, {});
  expect(await count()).toBe(before);
  expect(await listed(agent)).toContain(id);
  expect(await wrongFields("GET", "/conversations?mentioned=me")).toEqual(["mentioned"]);
  expect(await wrongFields("GET", "/conversations?mentioned=you")).toEqual(["mentioned"]);
  const view = await made("/views", { name: "Mentions", filters: { mentioned: "me" } });
  expect((await api(agent, "GET", `/conversations?view=${view.id}&status=resolved`)).body.data).toHaveLength(1);
  expect(await wrongFields("GET", `/conversations?view=${view.id}`)).toEqual(["view"]);
});

it("mentions of a public message, of strangers and of too many are a 422, and nothing is stored", async () => {
  const { id } = await made("/conversations");
  const path = `/conversations/${id}/messages`;
  const wrong = (mentions: unknown, isPrivate = true) =>
    wrongFields("POST", path, { body: "x", private: isPrivate, mentions });
  expect(await wrong([agentUser.id], false)).toEqual(["mentions"]);
  expect(await wrong([999_999])).toEqual(["mentions"]);
  expect(await wrong("me")).toEqual(["mentions"]);
  expect(await wrong(Array(51).fill(agentUser.id))).toEqual(["mentions"]);
  expect((await got(path)).data).toEqual([]);
});

it("a member who leaves is no longer found, and a deleted note mentions nobody", async () => {
  const leaver = await join(parley, owner, "agent", "lea@example.com");
  const { id: userId } = (await leaver.call("GET", "/session")).body.data.user;
  const { id } = await made("/conversations");
  const note = { body: "Look", private: true, mentions: [userId, agentUser.id] };
  const message = await made(`/conversations/${id}/messages`, note);
  expect((await owner.call("DELETE", `/members/${userId}`)).status).toBe(200);
  const rows = () =>
    parley.database.query<Any>("select user_id::int from message_mentions where message_id = $1", [message.id]);
  expect(await rows()).toEqual([{ user_id: agentUser.id }]);
  await parley.call("DELETE", `/conversations/${id}/messages/${message.id}`);
  expect(await rows()).toEqual([]);
});

it("the longest name after an @ is meant, never a part of a word or an e-mail address", () => {
  const members = ["Ann", "Ann Lee", "Zoë", "Lee"].map((name) => ({ name }));
  const namesIn = (body: string) => membersIn(body, members).map(({ name }) => name);
  expect(namesIn("@Ann Lee, please")).toEqual(["Ann Lee"]);
  expect(namesIn("(@ann) @ZOË!")).toEqual(["Ann", "Zoë"]);
  expect(namesIn("@Anna x@Ann.example @ Ann @Ann_ @")).toEqual([]);
});
