import { ScreenBoundary } from '../../../admin/ScreenBoundary';
import { useDraft } from '../draft';
import { PropertiesTabs } from '../PropertiesTabs';
import { partAt } from '../places';
import { NoInputs } from './NoInputs';
import { FieldProperties } from './FieldProperties';
import { FieldTools } from './FieldTools';
import { HiddenColumn } from './HiddenColumn';
import { panels } from './panels';
import * as studioStyles from '../studio.module.css';
import * as styles from './properties.module.css';

/** The properties of the selected place: a field, a hidden column, or another part of the module. */
export function PropertiesPane() {
  const { place, source, unreadable } = useDraft();
  const [, room, name = ''] = place.split('/');
  const isField = room === 'fields' && Object.hasOwn(source.fields, name);
  const part = partAt(place);
  const panel = part && panels[part.place];
  return (
    <>
      <header className={studioStyles.studioHead}>
        <PropertiesTabs />
        <span className={studioStyles.studioGrow} />
        {isField ? <FieldTools name={name} /> : <b className={styles.studioTitle}>{part?.label}</b>}
      </header>
      <div className={styles.studioProps} key={place}>
        <ScreenBoundary>
          {unreadable && (
            <p className={styles.studioHint} role="note">
              The JSON cannot be parsed (line {unreadable.line}). A change here replaces what was typed.
            </p>
          )}
          {isField && <FieldProperties name={name} />}
          {room === 'hidden' && <HiddenColumn column={name} />}
          {panel}
          {!isField && room !== 'hidden' && !panel && <NoInputs />}
        </ScreenBoundary>
      </div>
    </>
  );
}
