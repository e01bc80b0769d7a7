import fastJsonStringify from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify";

type Serialize = (data: unknown) => string;

/** Fastify's own serializer of responses, but compiled with the first response of a route instead of at the start. */
export const compileSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  let serialize: Serialize | undefined;
  return (data) => {
    serialize ??= fastJsonStringify(schema as never) as Serialize;
    return serialize(data);
  };
};
