import { takeTasks } from "../../base/threads.ts";
import { comparePages } from "./outputs.ts";

takeTasks(comparePages);
