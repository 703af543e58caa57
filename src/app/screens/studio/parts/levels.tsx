import { actions, levels } from '../../../../engine/definitions/definition';
import { MultiChoiceProperty, type Option } from '../properties/ChoiceProperty';

const levelNames = ['Administrator', 'Company Owner', 'Manager', 'Developer', 'QA', 'External User'];

/** The levels with the names of their shipped roles. */
export const levelOptions: readonly Option[] = levels.map((level) => ({
  value: String(level),
  label: `${level} ${levelNames[level - 1]}`,
}));

/** The shipped roles of levels: `QA, External User`. */
export function rolesText(levels: unknown): string {
  return [levels]
    .flat()
    .map((level) => levelNames[Number(level) - 1] ?? `level ${String(level)}`)
    .join(', ');
}

/** The actions of a rule as text. */
export function actionsText(action: unknown): string {
  return [action].flat().join(', ');
}

/** One value or a list of them. */
const readMany = (value: unknown) => [value ?? []].flat().map(String);

/** The levels that a rule applies to. */
export function LevelsProperty({ at, ways }: { at: string; ways: readonly Option[] }) {
  return (
    <MultiChoiceProperty
      label="For"
      {...{ at, ways }}
      brief
      read={readMany}
      write={(chosen) => chosen.map(Number).sort()}
    />
  );
}

/** The actions of a rule, stored as a name if there is one, else as a list. */
export function ActionsProperty({ at }: { at: string }) {
  return (
    <MultiChoiceProperty
      label="To"
      at={at}
      ways={actions.map((action) => ({ value: action, label: action }))}
      brief
      read={readMany}
      write={(chosen) => (chosen.length === 1 ? chosen[0] : chosen)}
    />
  );
}
