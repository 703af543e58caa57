import { labelOf } from '../../../../../engine/definitions/labels';
import type { AutomationSource, AutomationStepSource, Source } from '../../../../../engine/definitions/source';
import { describeTrigger, newAutomation, newStep, stepKindOf } from '../../../../../engine/studio/automation-edits';
import { useDefinitions } from '../../../../admin/DefinitionsContext';
import { useDraftPart } from '../../draft';
import { ListProperty } from '../../properties/ListProperty';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { PartForm } from '../../properties/PartForm';
import { allFields } from '../../properties/fieldOptions';
import { userPaths } from './paths';
import { StepInputs, stepLabels } from './StepInputs';
import { SuggestedProperty } from '../../properties/SuggestedProperty';
import { TriggerInputs } from './TriggerInputs';
import { TryOut } from './TryOut';
import * as styles from '../../properties/properties.module.css';

type Json = Readonly<Record<string, unknown>>;

const asAutomation = (entry: Json) => entry as unknown as Partial<AutomationSource>;
const asJson = (written: AutomationSource | AutomationStepSource) => written as unknown as Json;

const fieldLabel = (source: Source) => (name: string) => allFields(source)[name]?.label ?? labelOf(name);

/** Whether an automation is new or changed since the version that the draft is based on. */
function stateOf(entry: Json, base: Source): string {
  const before = base.automations?.find(({ name }) => name === entry.name);
  if (!before) return ', new';
  return JSON.stringify(before) === JSON.stringify(entry) ? '' : ', changed';
}

/** Automations: what happens by itself, when, for which records, and as whom; and what they would do for a record. */
export function AutomationsPanel() {
  const { source, base } = useDraftPart((draft) => ({ source: draft.source, base: draft.base.source }));
  return (
    <>
      <h3 className={styles.studioPart}>Automations</h3>
      <ListProperty
        at="/automations"
        label="Automations"
        add="Add an automation"
        none="Nothing happens by itself"
        blank={(entries) => asJson(newAutomation(entries))}
        titleOf={({ label, name }) => String(label ?? name ?? '')}
        noteOf={(entry) => describeTrigger(asAutomation(entry), fieldLabel(source)) + stateOf(entry, base)}
      >
        {(place) => <AutomationInputs at={place} />}
      </ListProperty>
      <hr />
      <TryOut />
    </>
  );
}

function AutomationInputs({ at }: { at: string }) {
  const { registry } = useDefinitions();
  const people = useDraftPart(({ source }) => userPaths(source, registry, true));
  const author = { value: 'author', label: 'Whoever makes the change' };
  return (
    <>
      <PlaceErrors place={at} />
      <PartForm at={at} keys={['label', 'name']} />
      <TriggerInputs at={at} />
      <PartForm at={at} keys={['where']} />
      <SuggestedProperty at={`${at}/runAs`} label="With the permissions of" ways={[author, ...people]} usual="author" />
      <div className={styles.studioGroup}>
        <span className={styles.studioLabel}>Steps</span>
        <ListProperty
          at={`${at}/steps`}
          label="Steps"
          add="Add a step"
          none="An automation needs a step"
          blank={() => asJson(newStep('notify', ''))}
          titleOf={stepTitle}
          noteOf={stepNote}
        >
          {(place) => <StepInputs at={place} />}
        </ListProperty>
      </div>
    </>
  );
}

function stepTitle(entry: Json): string {
  const kind = stepKindOf(entry);
  return kind ? stepLabels[kind] : 'Nothing';
}

/** Whom or what a step is about. */
function stepNote(entry: Json): string {
  const { notify, mail, set, create, webhook } = entry as AutomationStepSource;
  if (notify !== undefined)
    return typeof notify === 'string' ? notify : Array.isArray(notify) ? notify.join(', ') : 'roles';
  if (mail !== undefined) return mail.to ?? '';
  if (set !== undefined) return Object.keys(set).join(', ');
  return create ?? webhook ?? '';
}
