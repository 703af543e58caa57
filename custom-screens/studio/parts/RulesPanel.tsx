import { ConditionAt } from '../conditions/ConditionAt';
import { useDraft } from '../draft';
import { ListAt } from '../properties/ListAt';
import { ManyAt } from '../properties/ChoiceAt';
import { TextAt } from '../properties/TextAt';
import { fieldWays } from '../properties/ways';
import { Grants } from './Grants';
import { actionWords, levelWays, LevelsAt, ActionsAt } from './levels';

/** Access: the default grants of a new module, and the rules that restrict grants. */
export function RulesPanel() {
  const { source } = useDraft();
  const fields = fieldWays(source);
  return (
    <>
      <h3 className="studio-part">Grants</h3>
      <p className="studio-hint">
        The permissions that roles get when the module is new. Change them later under Permissions.
      </p>
      <Grants />
      <hr />
      <h3 className="studio-part">Rules</h3>
      <ListAt
        at="/rules"
        label="Rules"
        add="Add a rule"
        none="No rules: grants apply to every record"
        blank={() => ({ levels: [6], action: 'edit', where: { created_by: '$actor.id' } })}
        titleOf={({ reason, action }) => String(reason ?? actionWords(action))}
        noteOf={({ levels }) => `level ${[levels].flat().join(', ')}`}
      >
        {(place) => (
          <>
            <LevelsAt at={`${place}/levels`} ways={levelWays} />
            <ActionsAt at={`${place}/action`} />
            <ConditionAt at={`${place}/where`} label="Only records where" />
            <ManyAt at={`${place}/fields`} label="Only these fields" ways={fields} usual="All fields" brief />
            <ManyAt at={`${place}/except`} label="All fields except" ways={fields} usual="None" brief />
            <TextAt at={`${place}/reason`} label="Description" />
          </>
        )}
      </ListAt>
    </>
  );
}
