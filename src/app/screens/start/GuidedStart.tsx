import { useDefinitions } from '../../data/DefinitionsContext';
import { mayAdd } from '../../actions/useMayAdd';
import { useRemembered } from '../../preferences/useRemembered';
import { lazyComponent } from '../../states/lazyComponent';

const StartPanel = lazyComponent(() => import('./StartPanel'));

/**
 * The first steps of a company whose users may create something, until they are done or the user hides them; it is
 * nothing for everybody else. `isShort`: only what can be done instead of the steps.
 *
 * @example <GuidedStart />
 */
export function GuidedStart({ isShort = false }: { isShort?: boolean }) {
  const { actor, registry } = useDefinitions();
  const [isOver, setOver] = useRemembered(`assay.start.${actor.id}`, false);
  const mayBegin =
    !actor.viewer &&
    actor.site_id !== null &&
    [...registry.definitions.values()].some((definition) => mayAdd(actor, definition));
  return mayBegin && !isOver ? <StartPanel isShort={isShort} onOver={() => setOver(true)} /> : null;
}
