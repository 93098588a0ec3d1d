// Reads the data of the page: base64 of a zlib stream of JSON.
import { Document, version } from "./document";
import { t } from "./words";

function bytesOf(base64: string): Uint8Array {
  const decode = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (decode) return decode(base64);
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

async function inflated(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

declare class DecompressionStream {
  constructor(format: string);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

// The command cuts texts too; a longer one would only stop the browser.
const longest = 10_000;

// Throws an error that a person can read.
export async function readDocument(base64: string): Promise<Document> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error(t("This browser is too old: it cannot inflate the data of the page."));
  }
  let text: string;
  try {
    text = await inflated(bytesOf(base64.trim()));
  } catch {
    throw new Error(t("The data of this page are damaged."));
  }
  const read = JSON.parse(text) as Document;
  if (read.version !== version) {
    throw new Error(t("The data of this page have version {0}; this page reads version {1}.", read.version, version));
  }
  read.strings = read.strings.map(each => (each.length > longest ? `${each.slice(0, longest)}…` : each));
  return read;
}
