import type { View } from "./view.js";

/** The editor, bundled from `build/editor/client/`. */
export declare function editorView(query: URLSearchParams): Promise<View>;
export declare function closeForm(): void;
