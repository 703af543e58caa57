import { labelOf } from '../../../../engine/definitions/labels';
import type { AutomationSource, Source } from '../../../../engine/language/source';
import { describeTrigger, newAutomation } from '../../../../engine/studio/automation-edits';
import { useDraftPart } from '../../draft';
import { ListProperty } from '../../properties/ListProperty';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { PartForm } from '../../properties/PartForm';
import { allFields } from '../../properties/fieldOptions';
import { TryOut } from './TryOut';
import * as styles from '../../properties/properties.module.css';

type Json = Readonly<Record<string, unknown>>;

const asAutomation = (entry: Json) => entry as unknown as Partial<AutomationSource>;

const fieldLabel = (source: Source) => (name: string) => allFields(source)[name]?.label ?? labelOf(name);

/** Whether an automation is new or changed since the version that the draft is based on. */
function stateOf(entry: Json, base: Source): string {
  const baseEntry = base.automations?.find(({ name }) => name === entry.name);
  if (!baseEntry) return ', new';
  return JSON.stringify(baseEntry) === JSON.stringify(entry) ? '' : ', changed';
}

/** Automations: what happens by itself, when, for which records, and as whom; and what they would do for a record. */
export function AutomationsPanel() {
  const { source, base } = useDraftPart((draft) => ({ source: draft.source, base: draft.base.source }));
  return (
    <>
      <h3 className={styles.studioPart}>Automations</h3>
      <ListProperty
        pointer="/automations"
        label="Automations"
        add="Add an automation"
        emptyText="Nothing happens by itself"
        createEntry={(entries) => newAutomation(entries) as unknown as Json}
        titleOf={({ label, name }) => String(label ?? name ?? '')}
        noteOf={(entry) => describeTrigger(asAutomation(entry), fieldLabel(source)) + stateOf(entry, base)}
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            <PartForm pointer={entryPointer} />
          </>
        )}
      </ListProperty>
      <hr />
      <TryOut />
    </>
  );
}
