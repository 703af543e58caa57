import { listed } from '../../src/engine/access/rule-words';
import { actions, type Action } from '../../src/engine/definitions/definition';
import type { Role } from './calls';
import { fixedReason, rulesInWords, stateOf, stateWords } from './cells';
import { isChanged, isWished, type ModuleChanges } from './draft';
import type { Module } from './modules';
import type { Actor } from '../../src/engine/access/actor';

/** The abbreviation of an action: L, V, C, E or D. */
export const letterOf = (action: Action) => action.charAt(0).toUpperCase();

interface GlyphsProps {
  actor: Actor;
  role: Role;
  module: Module;
  changes?: ModuleChanges;
}

/** The five actions of a role on a module, each a toggle button. */
export function Glyphs({ actor, role, module, changes }: GlyphsProps) {
  return (
    <span className="glyphs">
      {actions.map((action) => {
        const granted = role.level === 1 || isWished(role, module.name, action, changes);
        const state = stateOf(module, role.level, action, granted);
        const changed = isChanged(role, action, changes);
        const fixed = fixedReason(actor, role, module, action);
        const tip = fixed ?? (state === 'own' ? rulesInWords(module, role.level, action) : undefined);
        return (
          <button
            key={action}
            type="button"
            className="glyph"
            tabIndex={-1}
            data-stop
            data-role={role.role_id}
            data-action={action}
            data-state={state}
            data-tip={tip}
            data-changed={changed || undefined}
            aria-pressed={state !== 'denied'}
            aria-disabled={fixed !== undefined || undefined}
            aria-label={`${role.role_name}: ${action} ${module.label}, ${stateWords[state]}${changed ? ', not saved' : ''}`}
          >
            {letterOf(action)}
          </button>
        );
      })}
    </span>
  );
}

interface GlyphPictureProps {
  role: Role;
  module: Module;
  granted: ReadonlySet<Action>;
  /** The actions to highlight as changed. */
  marked?: ReadonlySet<Action>;
}

/** A read-only picture of the five actions, with changed ones highlighted. */
export function GlyphPicture({ role, module, granted, marked }: GlyphPictureProps) {
  return (
    <span className="glyphs" role="img" aria-label={listed([...granted]) || 'nothing'}>
      {actions.map((action) => (
        <i
          key={action}
          className="glyph"
          data-state={stateOf(module, role.level, action, granted.has(action))}
          data-changed={marked?.has(action) || undefined}
        >
          {letterOf(action)}
        </i>
      ))}
    </span>
  );
}
