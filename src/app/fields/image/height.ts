/** The height of the drop area, in pixels. */
export const height = (): number => 88;
