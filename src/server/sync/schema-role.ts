/**
 * How the definitions of a server relate to those of the other servers on its database. `older`: another version owns
 * the tables, and this one changes only those of modules that are published on it. `newest`: it owns them, and others
 * may still need indexes that it does not. `only`: nobody else has been there for a while, so that what is left of others
 * is removed.
 */
export type SchemaRole = 'older' | 'newest' | 'only';
