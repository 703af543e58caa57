import { actionIcons } from './actionIcons';
import { fieldIcons } from './fieldIcons';
import { platformIcons } from './platformIcons';
import { objectIcons } from './objectIcons';

const paths = { ...objectIcons, ...actionIcons, ...fieldIcons, ...platformIcons };

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** All icon names: the allowed values of `"icon"` in definitions. */
export const iconNames = Object.keys(paths) as IconName[];

/** The names that a field of type icon offers, in the order shown. */
export const platformIconNames = Object.keys(platformIcons) as (keyof typeof platformIcons)[];

/** Whether an icon of that name exists. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(paths, name);
}

/** An icon's path data on the 16 px grid. An unknown name gives a circle, so that rows keep their layout. */
export function iconPath(name: string): string {
  return isIconName(name) ? paths[name] : paths.circle;
}
