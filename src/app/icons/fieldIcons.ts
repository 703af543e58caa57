import { box, circle } from './shapes';

/** Icons of field types and of a text editor's buttons. */
export const fieldIcons = {
  text: 'M3.2 4V3h9.6v1M8 3v10M6.3 13h3.4',
  paragraph: 'M2.7 4h10.6M2.7 6.7h10.6M2.7 9.3h10.6M2.7 12h6.3',
  hash: 'M6.4 2.7 5.2 13.3M10.8 2.7 9.6 13.3M3 6h10.6M2.4 10H13',
  toggle: 'M5.5 4.5h5a3.5 3.5 0 0 1 0 7h-5a3.5 3.5 0 0 1 0-7' + circle(10.5, 8, 1.4),
  relation: circle(4.3, 4.3, 1.8) + circle(11.7, 11.7, 1.8) + 'M4.3 6.1v3.2a2.4 2.4 0 0 0 2.4 2.4h3.2',
  select: box(2.5, 4, 11, 8) + 'M8.3 7.2l1.6 1.6 1.6-1.6M4.8 8h1',
  percent: 'M12 4 4 12' + circle(4.8, 4.8, 1.5) + circle(11.2, 11.2, 1.5),
  json: 'M6 3H5a1.3 1.3 0 0 0-1.3 1.3v2.2L2.5 8l1.2 1.5v2.2A1.3 1.3 0 0 0 5 13h1M10 3h1a1.3 1.3 0 0 1 1.3 1.3v2.2L13.5 8l-1.2 1.5v2.2A1.3 1.3 0 0 1 11 13h-1',
  table: box(2.5, 3, 11, 10, 1) + 'M2.5 6.3h11M2.5 9.7h11M6.5 6.3V13',
  bold: 'M4.7 3h4a2.4 2.4 0 0 1 0 4.8h-4zM4.7 7.8h4.6a2.5 2.5 0 0 1 0 5.2H4.7z',
  italic: 'M7 3h4.5M4.5 13H9M9.3 3 6.7 13',
  'list-ordered':
    'M6.5 4.3h7M6.5 8h7M6.5 11.7h7M2.6 3.4l.9-.4v2.8M2.4 10.3c.3-.8 1.7-.7 1.7.2 0 .7-1.7 1.3-1.7 2.1h1.8',
  code: 'M5.3 4.8 2.2 8l3.1 3.2M10.7 4.8 13.8 8l-3.1 3.2',
  quote: 'M3.5 10.5V7.8A3 3 0 0 1 6.2 5M3.5 8h2.7v2.7H3.5M9.3 10.5V7.8A3 3 0 0 1 12 5M9.3 8H12v2.7H9.3',
} as const;
