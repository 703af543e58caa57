/** The power of a role. A company's own roles have a level from that of managers down. */
export const Level = {
  /** Administers the installation. */
  Installation: 1,
  /** Owns a company. */
  Owner: 2,
  Manager: 3,
  Developer: 4,
  Tester: 5,
  /** A user from outside of the company. */
  External: 6,
} as const;
export type Level = (typeof Level)[keyof typeof Level];
export const levels: readonly Level[] = Object.values(Level);

/**
 * Whom a rule, a request or a transition is for: roles by their levels, roles by their keys, or both. Neither: everybody.
 */
export interface Audience {
  readonly levels?: readonly Level[];
  readonly roles?: readonly string[];
}

/** A role, as far as rules know it. */
export interface RoleHolder {
  readonly level: Level;
  /** The key of the role; rules that name roles apply to nobody without one. */
  readonly role?: string;
}

/** A role of the installation or of a company, as messages name it. */
export interface RoleName {
  readonly key: string;
  readonly name: string;
  readonly level: Level;
}
