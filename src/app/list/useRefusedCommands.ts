import { useNotify } from 'react-admin';
import { grantedFields } from '../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { useEvaluationContext } from '../admin/useEvaluationContext';
import type { Command } from '../commands/commands';
import { refusedCommands, type KeyedPart } from './recordCommands';

/**
 * Returns a function that adds to the commands of a record what its other keys say: why it cannot be changed by them.
 */
export function useRefusedCommands(
  definition: Definition,
): (record: ResourceRecord, commands: readonly Command[]) => Command[] {
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const notify = useNotify();
  const say = async (record: ResourceRecord, part: KeyedPart) => {
    const { refusalWords } = await import('./refusalWords');
    const words = refusalWords(definition, record, part, actor, evaluationContext);
    notify(words, { type: 'info', messageArgs: { _: words } });
  };
  return (record, commands) => [
    ...commands,
    ...refusedCommands(
      definition,
      registry,
      grantedFields(actor, definition, 'list'),
      commands,
      (part) => void say(record, part),
    ),
  ];
}
