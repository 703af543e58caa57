import { useNotify } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import type { Command } from '../commands/commands';

/**
 * Returns a function that adds to the commands of a record what its keys say that none of them has: why the record cannot be
 * changed by them.
 */
export function useRefusedCommands(
  definition: Definition,
): (record: ResourceRecord, commands: readonly Command[]) => Command[] {
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const notify = useNotify();
  return (record, commands) => {
    const refusalOf = (keys: string): Command => ({
      ...{ id: keys, label: '', keys, isRefused: true },
      // Loaded when it is said: lists have no bytes to spare.
      run: () =>
        void import('../actions/refusalWords').then(({ refusalWords }) => {
          const words = refusalWords(definition, record, keys, { actor, registry, evaluationContext });
          if (words) notify(words, { type: 'info', messageArgs: { _: words } });
        }),
    });
    return [
      ...commands,
      ...['a', 's', 'e'].filter((keys) => !commands.some((command) => command.keys === keys)).map(refusalOf),
    ];
  };
}
