import { actionIcons } from './actionIcons';
import { fieldIcons } from './fieldIcons';
import { platformIcons } from './platformIcons';
import { box, circle, dot } from './shapes';

/** Icons of things: what a screen or a field is about. Paths on a 16 px grid, drawn as 1.5 px strokes. */
const objectIcons = {
  dashboard: box(2.5, 2.5, 4.5, 6, 1) + box(9, 2.5, 4.5, 3.5, 1) + box(9, 8, 4.5, 5.5, 1) + box(2.5, 10.5, 4.5, 3, 1),
  home: 'M2.5 7.3 8 2.7l5.5 4.6M4 6.2v7h8v-7M6.7 13.2V9.5h2.6v3.7',
  bell: 'M4 10.7V7a4 4 0 0 1 8 0v3.7l1.3 1.4H2.7L4 10.7M6.8 14h2.4',
  'list-check': box(3, 2.5, 10, 11) + 'M5.3 6.2l.9.9 1.7-1.8M5.3 10.2l.9.9 1.7-1.8M10 6.3h.8M10 10.3h.8',
  'check-circle': circle(8, 8, 5.5) + 'M5.6 8.2l1.7 1.6 3.2-3.5',
  'bar-chart': 'M2.7 13.3h10.6M4.8 11V7.5M8 11V3.5M11.2 11V6',
  pie: 'M7.2 3.3A5.2 5.2 0 1 0 12.7 8.8H7.2zM9.6 2.5v3.9h3.9a3.9 3.9 0 0 0-3.9-3.9',
  trend: 'M2.5 11.5 6.3 7.7l2.5 2.5 4.7-4.9M10 5.3h3.5v3.5',
  building: 'M3.5 13.5v-11h6.3v11M9.8 6.3h2.9v7.2M2.5 13.5h11M5.7 5.3h1.9M5.7 8h1.9M5.7 10.7h1.9',
  folder: 'M2.5 4.5a1 1 0 0 1 1-1h2.9l1.5 1.7h4.6a1 1 0 0 1 1 1v5.8a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z',
  layers: 'M8 2.7 13.5 5.5 8 8.3 2.5 5.5zM2.8 8.2 8 10.8l5.2-2.6M2.8 10.8 8 13.4l5.2-2.6',
  calendar: box(2.5, 3.5, 11, 10) + 'M2.5 6.7h11M5.5 2.2v2.5M10.5 2.2v2.5',
  clock: circle(8, 8, 5.5) + 'M8 4.9V8l2.1 1.4',
  timer: circle(8, 9, 4.7) + 'M8 6.5V9M6.5 2.2h3M11.5 4.9l.8-.8',
  users:
    circle(6, 5.2, 2.3) +
    'M2 13.2c0-2.3 1.7-3.7 4-3.7s4 1.4 4 3.7M10.4 3.1a2.2 2.2 0 0 1 0 4.2M11.8 9.8c1.4.5 2.2 1.7 2.2 3.4',
  user: circle(8, 5.3, 2.5) + 'M3.3 13.5c0-2.5 2-4.1 4.7-4.1s4.7 1.6 4.7 4.1',
  'user-check': circle(6.3, 5.3, 2.4) + 'M2 13.4c0-2.4 1.8-3.9 4.3-3.9 1.2 0 2.2.3 3 .9M10.2 12l1.3 1.3 2.5-2.8',
  'life-buoy':
    circle(8, 8, 5.5) + circle(8, 8, 2.3) + 'M4.1 4.1l2.3 2.3M9.6 9.6l2.3 2.3M11.9 4.1 9.6 6.4M6.4 9.6l-2.3 2.3',
  sliders: 'M2.7 5h5.6M11.9 5h1.4M2.7 11h1.4M7.7 11h5.6' + circle(10.1, 5, 1.7) + circle(5.9, 11, 1.7),
  settings:
    circle(8, 8, 2.1) +
    'M8 2.3v1.9M8 11.8v1.9M13.7 8h-1.9M4.2 8H2.3M12 4l-1.3 1.3M5.3 10.7 4 12M12 12l-1.3-1.3M5.3 5.3 4 4',
  globe: circle(8, 8, 5.5) + 'M2.5 8h11M8 2.5c3 3.2 3 7.8 0 11M8 2.5c-3 3.2-3 7.8 0 11',
  'map-pin': 'M8 13.7C5.2 11 3.6 8.8 3.6 6.7a4.4 4.4 0 0 1 8.8 0c0 2.1-1.6 4.3-4.4 7' + circle(8, 6.7, 1.5),
  map: 'M2.5 4.2 6 2.8l4 1.5 3.5-1.4v9L10 13.2l-4-1.4-3.5 1.3zM6 2.8v9M10 4.3v8.9',
  mail: box(2.5, 3.5, 11, 9) + 'M3 4.5l5 4 5-4',
  message: 'M3.5 3h9a1 1 0 0 1 1 1v5.7a1 1 0 0 1-1 1H8.3L5 13.3v-2.6H3.5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1',
  phone:
    'M3.2 3.2 5 2.7a.8.8 0 0 1 1 .5l.8 2a.8.8 0 0 1-.3 1l-1 .7a7.5 7.5 0 0 0 3.6 3.6l.7-1a.8.8 0 0 1 1-.3l2 .8a.8.8 0 0 1 .5 1l-.5 1.8c-.2.6-.6.8-1.2.7C6.8 13 3 9.2 2.5 4.4c0-.6.2-1 .7-1.2',
  flag: 'M4 13.7V2.8h8.2L10.3 5.7l1.9 2.9H4',
  badge: circle(8, 6.3, 3.7) + 'M5.9 9.5 5 13.7l3-1.6 3 1.6-.9-4.2',
  shield: 'M8 2.3l4.9 1.7v3.6c0 3-2 5-4.9 6.1-2.9-1.1-4.9-3.1-4.9-6.1V4zM5.9 8l1.5 1.4 2.7-2.8',
  key: circle(5.6, 10.4, 2.9) + 'M7.7 8.3 13.3 2.7M11 5l1.8 1.8',
  tag: 'M2.7 3.5v4.2l5.6 5.6a1 1 0 0 0 1.4 0l3.6-3.6a1 1 0 0 0 0-1.4L7.7 2.7H3.5a.8.8 0 0 0-.8.8' + dot(5.5, 5.5),
  device: box(2, 3, 8.5, 7.5) + 'M4.2 13h4.1M6.3 10.5V13' + box(11, 6, 3.2, 7.5, 0.8),
  fingerprint:
    'M5 12.4c.5-1.3.6-2.6.6-4.4a2.4 2.4 0 0 1 4.8 0c0 2.1-.2 3.8-.6 5.2M8 8c0 2.2-.2 4-.9 5.6M3.1 10.4c.3-.8.5-1.6.5-2.4a4.4 4.4 0 0 1 8.8 0c0 1.4-.1 2.5-.2 3.4',
  laptop: box(3.6, 3.6, 8.8, 6.8) + 'M2 12.4h12',
  smartphone: box(4.5, 2, 7, 12) + 'M7.3 11.7h1.4',
  tablet: box(3.5, 2, 9, 12) + 'M7.2 11.7h1.6',
  activity: 'M2 8.3h2.6L6.5 3.5l3 9 1.9-4.2H14',
  play: 'M5 3.3v9.4L12.5 8z',
  archive: box(2.3, 3, 11.4, 3, 0.8) + 'M3.5 6v7h9V6M6.5 8.7h3',
  image: box(2.5, 3, 11, 10) + circle(5.8, 6.3, 1) + 'M3 11.5l3.2-2.7 2 1.6 2.3-2.2 3 2.7',
  file: 'M4.5 2.5h4.7l2.8 2.8v8.2H4.5zM9 2.6v2.9h2.9',
  paperclip: 'M12.5 7.3 7.8 12a2.7 2.7 0 0 1-3.9-3.9l5.3-5.3a1.8 1.8 0 0 1 2.6 2.6l-5.2 5.2a.9.9 0 0 1-1.3-1.3l4.6-4.6',
  history: 'M3.2 3.6v2.9h2.9M3.3 6.4A5.2 5.2 0 1 1 2.9 9M8 5.6v2.6l1.9 1.2',
  circle: circle(8, 8, 5.5),
  template: box(2.5, 2.5, 11, 11) + 'M2.5 6h11M6.5 6v7.5',
  timeline: 'M2.5 3.8h5M5 8h6M8.5 12.2h5',
  kanban: box(2.5, 2.5, 3, 11, 0.8) + box(6.8, 2.5, 3, 7, 0.8) + box(11, 2.5, 3, 8.8, 0.8),
} as const;

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
