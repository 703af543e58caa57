import { actionIcons } from './actionIcons';
import { fieldIcons } from './fieldIcons';
import { platformIcons } from './platformIcons';
import { thingIcons } from './thingIcons';

const paths = { ...thingIcons, ...actionIcons, ...fieldIcons, ...platformIcons };

/** The name of a drawn icon. */
export type IconName = keyof typeof paths;

/** Every icon's name: what `"icon"` may say in a definition. */
export const iconNames = Object.keys(paths) as IconName[];

/** The names that a field of type icon offers, in the order shown. */
export const platformIconNames = Object.keys(platformIcons) as (keyof typeof platformIcons)[];

/** Whether a name is drawn. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(paths, name);
}

/** An icon's path data on the 16 px grid. A name nobody drew is a plain circle, so that a row keeps its shape. */
export function iconPath(name: string): string {
  return isIconName(name) ? paths[name] : paths.circle;
}
