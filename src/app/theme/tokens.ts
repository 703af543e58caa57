/** The two colour schemes of the application. */
export type Scheme = 'light' | 'dark';

const inBothThemes = (colour: string) => [colour, colour] as const;

/** Every colour of the application as [light, dark]. `tokens.css` is generated from this list. */
const colours = {
  canvas: ['#F6F8FA', '#0E1217'],
  surface: ['#FFFFFF', '#13181F'],
  raised: ['#FFFFFF', '#1A2029'],
  sunken: ['#F6F8FA', '#0F1319'],
  hover: ['#F3F6F9', '#1A2028'],
  scrim: ['rgba(16, 24, 36, 0.36)', 'rgba(3, 6, 10, 0.62)'],
  line: ['#E4E8ED', '#252C36'],
  'line-2': ['#D3DAE2', '#343D4A'],
  control: ['#8A94A1', '#697585'],

  t1: ['#1A2330', '#E7EBF1'],
  t2: ['#4A5565', '#AEB8C5'],
  t3: ['#5E6A7B', '#8D98A8'],
  't-off': ['#98A2B0', '#5E6979'],

  accent: inBothThemes('#276DB6'),
  'accent-hover': inBothThemes('#0070E6'),
  'accent-line': ['#007DFF', '#3B9BFF'],
  'accent-text': ['#276DB6', '#6FB4FF'],
  'accent-ink': ['#1B568F', '#9CCBFF'],
  tint: ['#E3F2FC', '#14263B'],
  'tint-2': ['#DBEDFF', '#17304E'],
  'on-accent': inBothThemes('#FFFFFF'),
  ring: ['rgba(0, 125, 255, 0.28)', 'rgba(59, 155, 255, 0.34)'],
  'blue-3': inBothThemes('#4CA4FF'),
  danger: inBothThemes('#C42B32'),
  'danger-hover': inBothThemes('#A81F26'),

  urgent: ['#E5484D', '#FF6166'],
  'urgent-bg': ['#FDECEC', '#35191D'],
  'urgent-t': ['#AF2229', '#FF9EA1'],
  high: ['#F2820D', '#FF9633'],
  'high-bg': ['#FFF1E2', '#352310'],
  'high-t': ['#944600', '#FFBC7D'],
  medium: ['#E5B100', '#F0C419'],
  'medium-bg': ['#FFF7D6', '#302809'],
  'medium-t': ['#735600', '#F2D467'],
  low: ['#2E9E5B', '#3FBC79'],
  'low-bg': ['#E7F6ED', '#112C1E'],
  'low-t': ['#1A673B', '#83DAA8'],
  'neutral-bg': ['#EEF1F5', '#232A34'],
  'neutral-t': ['#4A5565', '#B7C0CC'],
  violet: ['#7A6AD8', '#9C8DF2'],
  'violet-bg': ['#F0EDFD', '#262045'],
  'violet-t': ['#5443B8', '#C3B9FB'],
  teal: ['#1A94A0', '#3CB6C2'],
  'teal-bg': ['#E2F5F6', '#0F2B2F'],
  'teal-t': ['#0E636B', '#84D6DE'],
  time: inBothThemes('#F5BC00'),
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/** Values that differ between the schemes and are no colours. */
const shadows: Record<Scheme, string> = {
  light: '0 1px 2px rgba(16, 24, 36, 0.06), 0 12px 32px -4px rgba(16, 24, 36, 0.16)',
  dark: '0 0 0 1px rgba(255, 255, 255, 0.04), 0 16px 40px -4px rgba(0, 0, 0, 0.6)',
};

/** Fonts, radii and sizes, the same in both schemes. */
const measures = {
  font: "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', sans-serif",
  mono: "ui-monospace, 'SF Mono', 'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  r: '8px',
  'r-chip': '6px',
  'r-box': '4px',
  'h-bar': '56px',
  'h-tab': '44px',
  'h-row': '50px',
  'h-ctl': '32px',
  'h-field': '36px',
  nav: '232px',
  rail: '56px',
  gutter: '24px',
} as const;

/** A colour's name. */
export type ColourName = keyof typeof colours;
/** A token's name: its CSS custom property is `--name`. */
export type TokenName = ColourName | keyof typeof measures | 'shadow';

/** The literal value of a colour in one scheme, for code that computes with it. */
export function colour(name: ColourName, scheme: Scheme): string {
  return colours[name][scheme === 'light' ? 0 : 1];
}

/** A reference to a token that follows the scheme by itself. */
export function token(name: TokenName): string {
  return `var(--${name})`;
}

function block(selector: string, scheme: Scheme, extraTokens: Record<string, string>): string {
  const colourTokens = (Object.keys(colours) as ColourName[])
    .filter((name) => scheme === 'light' || colours[name][0] !== colours[name][1])
    .map((name) => [name, colour(name, scheme)] as const);
  const lines = [...colourTokens, ['shadow', shadows[scheme]] as const, ...Object.entries(extraTokens)];
  return `${selector} {\n  color-scheme: ${scheme};\n${lines.map(([name, value]) => `  --${name}: ${value};`).join('\n')}\n}\n`;
}

/** The whole text of `tokens.css`. */
export function tokensCss(): string {
  return [
    '/* Generated from tokens.ts: `npx vitest run tests/app/theme -u` updates it. */\n',
    block(':root', 'light', measures),
    block('[data-theme=dark]', 'dark', {}),
    '@media (max-width: 600px) {\n  :root {\n    --gutter: 16px;\n  }\n}\n',
  ].join('\n');
}
