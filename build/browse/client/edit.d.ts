import type { View } from "./view.js";

/** The editor, bundled from `build/editor/client/`. */
export declare function editorView(asked: URLSearchParams): Promise<View>;
export declare function closeForm(): void;
