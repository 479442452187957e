// The program on machines that fail: full disks, kills, replicas that go away, hostile answers, long and heavy use.
// Run: node checks/machines.ts [disk | hostile | kills | replicas | rooms | soak] [options]; each says its options at its top.
import { build, run } from "./harness.ts";

build();
await run({
  disk: () => import("./machines/disk.ts"),
  hostile: () => import("./machines/hostile.ts"),
  kills: () => import("./machines/kills.ts"),
  replicas: () => import("./machines/replicas.ts"),
  rooms: () => import("./machines/rooms.ts"),
  soak: () => import("./machines/soak.ts"),
});
