/** Of the box that a picture is dropped on, in pixels. */
export const height = (): number => 88;
