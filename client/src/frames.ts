/** A block of a server-sent event stream. The server also sends blocks with an id alone: how far the stream has come. */
export interface Frame {
  id: string | null;
  event: string;
  data: string;
}

/**
 * Server-sent events as the HTML standard describes them, less `retry`. Not `EventSource`, which can send no header, and
 * not a parser package: those drop a block without data, and its id is what a reconnect needs.
 */
export async function* readFrames(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function frameOf(block: string): Frame {
  const frame: Frame = { id: null, event: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (name === "id" || name === "event") frame[name] = value;
  }
  return { ...frame, data: data.join("\n") };
}
