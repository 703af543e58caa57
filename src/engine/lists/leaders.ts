import type { Definition } from '../definitions/definition';
import type { Registry } from '../definitions/registry';

/** A resource that takes the records of another one into the archive along with its own. */
export interface Leader {
  readonly definition: Definition;
  /** The follower's relation to it. */
  readonly field: string;
}

/** The resources with which a definition's records go into the archive. */
export function leadersOf(definition: Definition, registry: Registry): Leader[] {
  return [...registry.definitions.values()].flatMap((leader) =>
    (leader.archive?.cascade ?? []).flatMap((path) => {
      const dot = path.indexOf('.');
      return path.slice(0, dot) === definition.name ? [{ definition: leader, field: path.slice(dot + 1) }] : [];
    }),
  );
}

/** Why a record cannot be taken out of the archive alone, and what to do first. */
export function leaderArchivedMessage({ labels }: Definition, leader: Definition): string {
  const its = leader.labels.one.toLowerCase();
  return `The ${its} of this ${labels.one.toLowerCase()} is archived. Unarchive the ${its} first.`;
}
