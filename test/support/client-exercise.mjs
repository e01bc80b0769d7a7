/**
 * What every runtime must be able to do with the client, in one function without imports: it runs in Node, Bun, Deno and as
 * text in a browser. Returns "ok", or throws.
 */
export async function exerciseClient({ Parley, unwrapWebhook, signWebhook, NotFoundError }, { url, key }) {
  const equal = (actual, expected) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  };
  const parley = new Parley({ url, key });
  const stop = new AbortController();
  let streamed;
  const isOpen = new Promise((resolve) => {
    streamed = (async () => {
      const stream = parley.events.stream({ types: ["contact.created"], signal: stop.signal, onOpen: resolve });
      for await (const { event, cursor } of stream) return { name: event.data.name, hasCursor: cursor.length > 0 };
    })();
  });
  await isOpen;
  const name = `Ada ${Math.random()}`;
  const contact = await parley.contacts.create({ name });
  equal(await streamed, { name, hasCursor: true });
  stop.abort();
  equal((await parley.contacts.get(contact.uuid)).id, contact.id);
  equal(await parley.contacts.list({ search: name }).take(5), [contact]);
  const missing = await parley.contacts.get(999_999).catch((error) => error);
  equal([missing instanceof NotFoundError, missing.status, missing.requestId.length > 0], [true, 404, true]);
  const file = await parley.files.upload("a name ü.txt", new Blob(["bytes"], { type: "text/plain" }));
  equal([file.name, file.content_type, file.size_bytes], ["a name ü.txt", "text/plain", 5]);
  equal((await parley.files.get(file.id)).sha256, file.sha256);
  const conversation = await parley.conversations.create({ message: { attachments: [{ file_id: file.id }] } });
  equal(conversation.message.attachments[0].file_id, file.id);
  const secret = `whsec_${btoa("a secret of at least 24 bytes")}`;
  const body = JSON.stringify({ id: "evt_1", type: "contact.created", data: { name: "Zoë" } });
  const unwrapped = await unwrapWebhook(body, await signWebhook("evt_1", body, secret), secret);
  equal(unwrapped.data.name, "Zoë");
  return "ok";
}
