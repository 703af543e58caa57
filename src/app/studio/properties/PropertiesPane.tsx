import Box from '@mui/material/Box';
import { ScreenBoundary } from '../../states/ScreenBoundary';
import { memo } from 'react';
import { useDraftPart, useDraft } from '../draft';
import { PropertiesTabs } from '../PropertiesTabs';
import { partAt } from '../draftPlaces';
import { FieldProperties } from './FieldProperties';
import { FieldTools } from './FieldTools';
import { HiddenColumn } from './HiddenColumn';
import { panels } from './panels';
import * as studioStyles from '../studio.module.css';
import * as styles from './properties.module.css';
import Button from '@mui/material/Button';

/** The properties of the selected place: a field, a hidden column, or another part of the module. */
export const PropertiesPane = memo(function PropertiesPane() {
  const { pointer, unreadable, isField } = useDraftPart((draft) => ({
    pointer: draft.pointer,
    unreadable: draft.unreadable,
    isField:
      draft.pointer.startsWith('/fields/') && Object.hasOwn(draft.source.fields, draft.pointer.split('/')[2] ?? ''),
  }));
  const [, section, name = ''] = pointer.split('/');
  const part = partAt(pointer);
  const panel = part && panels[part.pointer];
  return (
    <>
      <header className={studioStyles.studioHead}>
        <PropertiesTabs />
        <span className={studioStyles.studioGrow} />
        {isField ? (
          <FieldTools name={name} />
        ) : (
          <Box component="b" sx={{ pr: 2, color: 'var(--t3)', fontWeight: 500, fontSize: 12 }}>
            {part?.label}
          </Box>
        )}
      </header>
      <div className={styles.studioProps} key={pointer}>
        <ScreenBoundary>
          {unreadable && (
            <p className={styles.studioHint} role="note">
              The JSON cannot be parsed (line {unreadable.line}). A change here replaces what was typed.
            </p>
          )}
          {isField && <FieldProperties name={name} />}
          {section === 'hidden' && <HiddenColumn column={name} />}
          {panel}
          {!isField && section !== 'hidden' && !panel && <NoInputs />}
        </ScreenBoundary>
      </div>
    </>
  );
});

/** Shown for places without inputs. */
function NoInputs() {
  const { pointer, go } = useDraft();
  return (
    <>
      <p className={styles.studioHint}>
        {pointer.startsWith('/fields/') ? 'This field no longer exists.' : 'Choose a field or a part on the left.'} Edit
        all other parts of the definition as JSON.
      </p>
      <div>
        <Button variant="outlined" onClick={() => go(pointer, 'json')}>
          Open the JSON
        </Button>
      </div>
    </>
  );
}
