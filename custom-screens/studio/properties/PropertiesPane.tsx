import { ScreenBoundary } from '../../../src/app/admin/ScreenBoundary';
import { useDraft } from '../draft';
import { FaceTabs } from '../FaceTabs';
import { partOf } from '../places';
import { Elsewhere } from './Elsewhere';
import { FieldProperties } from './FieldProperties';
import { FieldTools } from './FieldTools';
import { HiddenColumn } from './HiddenColumn';
import { panels } from './panels';

/** The properties of the selected place: a field, a hidden column, or another part of the module. */
export function PropertiesPane() {
  const { place, source, unreadable } = useDraft();
  const [, room, name = ''] = place.split('/');
  const isField = room === 'fields' && Object.hasOwn(source.fields, name);
  const part = partOf(place);
  const panel = part && panels[part.place];
  return (
    <>
      <header className="studio-head">
        <FaceTabs />
        <span className="studio-grow" />
        {isField ? <FieldTools name={name} /> : <b className="studio-title">{part?.label}</b>}
      </header>
      <div className="studio-props" key={place}>
        <ScreenBoundary>
          {unreadable && (
            <p className="studio-hint" role="note">
              The JSON cannot be parsed (line {unreadable.line}). A change here replaces what was typed.
            </p>
          )}
          {isField && <FieldProperties name={name} />}
          {room === 'hidden' && <HiddenColumn column={name} />}
          {panel}
          {!isField && room !== 'hidden' && !panel && <Elsewhere />}
        </ScreenBoundary>
      </div>
    </>
  );
}
