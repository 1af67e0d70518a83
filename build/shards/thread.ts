import { takeTasks } from "../base/threads.ts";
import { packTasks } from "./pack-tasks.ts";

takeTasks(packTasks());
