/** The validator of definitions, compiled to a CommonJS module, and the schema of fields that it is for, as JSON. */
export interface CompiledSchemas {
  readonly field: string;
  /** The URL of a file of its own, because parsing it takes longer than a start that does not need it. */
  readonly file: string;
}

/** Compiled by the build (scripts/compile-schemas.mjs); undefined where the sources run as they are. */
export const compiledSchemas: CompiledSchemas | undefined = undefined;
