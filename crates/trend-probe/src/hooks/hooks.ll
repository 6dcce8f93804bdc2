; Hooks that are inserted into the code of routines. trend-runtime defines the layouts: record.rs, state.rs and
; descriptor.rs. `{shift}` is the binary logarithm of a cell's size in bytes. `{widened}` is that of a shadow's size relative
; to its cell. Lines with `{dynamic}` are only present if the kernel and other threads are watched. Ids are then below 2^30, and
; a cell that one of these wrote has a negative id. Lines with `{contexts}` are only present if calling contexts are
; distinguished, and lines with `{timed}` if costs are nanoseconds.

target triple = "x86_64-unknown-linux-gnu"

%Thread = type { ptr, ptr, i32, i32, i64, ptr, i64, i32, i32, i64 }
%Frame = type { i32, i32, i64, i64, i64, i64, i64, i64, ptr, i64, i64, i64, i64, i64 }
%Table = type { i64, i32, i32, i64, i64, i64, i64, i64, ptr, i64, [8 x %Recent] }
%Recent = type { i64, i64, i64, i64 }

; One variable for the program and all of its libraries.
@trend_probe_4_thread = linkonce_odr thread_local(initialexec) global %Thread zeroinitializer, align 8

declare void @trend_probe_4_slow_enter(ptr, ptr)
declare ptr @trend_probe_4_begin(ptr, ptr)
declare void @trend_probe_4_finish(ptr, ptr, ptr)
declare ptr @trend_probe_4_called(ptr, ptr)
declare i64 @trend_probe_4_now()
declare void @trend_probe_4_known_far_below(ptr, i32, i64)
declare void @trend_probe_4_first_read_watched(ptr, i64, i32, i64)
declare void @trend_probe_4_first_write(ptr, i64, i32, i64)
declare void @trend_probe_4_end(ptr, ptr, i64, i64)
declare i1 @trend_probe_4_unwind(ptr, ptr)
declare void @trend_probe_4_record(ptr, ptr, i64, i64, i64)
declare i64 @trend_probe_4_read_range(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_4_write_range(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_4_given(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_4_moved(ptr, i64, i32, i64, i64, i64)
declare ptr @trend_probe_4_external(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i32 @llvm.umax.i32(i32, i32)

; Returns the frame of a new activation.
define hidden ptr @trend.enter(ptr %routine) alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  %frame = getelementptr %Frame, ptr %top, i64 1
  %limit.at = getelementptr %Thread, ptr %thread, i64 0, i32 1
  %limit = load ptr, ptr %limit.at
  %is.full = icmp uge ptr %frame, %limit
  br i1 %is.full, label %slow, label %room, !prof !0
room:
  %index = load i32, ptr %routine
  %index.wide = zext i32 %index to i64
  %tables.at = getelementptr %Thread, ptr %thread, i64 0, i32 5
  %tables = load ptr, ptr %tables.at
  %table.at = getelementptr ptr, ptr %tables, i64 %index.wide
  %last.table = load ptr, ptr %table.at
  %is.new = icmp eq ptr %last.table, null
{flat}  br i1 %is.new, label %slow, label %known, !prof !0
{contexts}  br i1 %is.new, label %slow, label %called, !prof !0
{contexts}called:
{contexts}  ; The table is right for this call if the routine is already running, or was last called from here.
{contexts}  %running.at = getelementptr %Table, ptr %last.table, i64 0, i32 7
{contexts}  %running = load i64, ptr %running.at
{contexts}  %is.running = icmp ne i64 %running, 0
{contexts}  %caller.at = getelementptr %Table, ptr %last.table, i64 0, i32 8
{contexts}  %caller = load ptr, ptr %caller.at
{contexts}  %top.table.at = getelementptr %Frame, ptr %top, i64 0, i32 8
{contexts}  %top.table = load ptr, ptr %top.table.at
{contexts}  %is.from.here = icmp eq ptr %caller, %top.table
{contexts}  %is.last = or i1 %is.running, %is.from.here
{contexts}  br i1 %is.last, label %known, label %other, !prof !1
{contexts}other:
{contexts}  %other.table = call ptr @trend_probe_4_called(ptr %thread, ptr %routine)
{contexts}  br label %known
known:
{flat}  %table = phi ptr [ %last.table, %room ]
{contexts}  %table = phi ptr [ %last.table, %called ], [ %other.table, %other ]
  %last.at = getelementptr %Thread, ptr %thread, i64 0, i32 2
  %last = load i32, ptr %last.at
  %is.over = icmp uge i32 %last, {last_id}
  br i1 %is.over, label %slow, label %go, !prof !0
slow:
  call void @trend_probe_4_slow_enter(ptr %thread, ptr %routine)
  %slow.top = load ptr, ptr %thread
  %slow.frame = getelementptr %Frame, ptr %slow.top, i64 1
  %slow.index = load i32, ptr %routine
  %slow.index.wide = zext i32 %slow.index to i64
  %slow.tables.at = getelementptr %Thread, ptr %thread, i64 0, i32 5
  %slow.tables = load ptr, ptr %slow.tables.at
  %slow.table.at = getelementptr ptr, ptr %slow.tables, i64 %slow.index.wide
  %slow.table = load ptr, ptr %slow.table.at
  %slow.last.at = getelementptr %Thread, ptr %thread, i64 0, i32 2
  %slow.last = load i32, ptr %slow.last.at
  br label %go
go:
  %the.frame = phi ptr [ %frame, %known ], [ %slow.frame, %slow ]
  %the.table = phi ptr [ %table, %known ], [ %slow.table, %slow ]
  %the.last = phi i32 [ %last, %known ], [ %slow.last, %slow ]
  %the.index = phi i32 [ %index, %known ], [ %slow.index, %slow ]
  %frame.table.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 8
{contexts}  store ptr %the.table, ptr %frame.table.at
  ; A signal handler may be probed: from here on, its frame is above this one.
{contexts}  fence syncscope("singlethread") seq_cst
  store ptr %the.frame, ptr %thread
  fence syncscope("singlethread") seq_cst
  %id = add i32 %the.last, 1
  %id.at = getelementptr %Thread, ptr %thread, i64 0, i32 2
  store i32 %id, ptr %id.at
  store i32 %id, ptr %the.frame
  %routine.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 1
  store i32 %the.index, ptr %routine.at
  %sums.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 2
  store <4 x i64> zeroinitializer, ptr %sums.at, align 8
  %parts.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 6
  store <2 x i64> zeroinitializer, ptr %parts.at, align 8
  store ptr %the.table, ptr %frame.table.at
{contexts}  ; A signal handler may have run before this, and called the routine from elsewhere.
{contexts}  %go.tables.at = getelementptr %Thread, ptr %thread, i64 0, i32 5
{contexts}  %go.tables = load ptr, ptr %go.tables.at
{contexts}  %the.index.wide = zext i32 %the.index to i64
{contexts}  %go.table.at = getelementptr ptr, ptr %go.tables, i64 %the.index.wide
{contexts}  store ptr %the.table, ptr %go.table.at
{dynamic}  %watched.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 9
{dynamic}  store <4 x i64> zeroinitializer, ptr %watched.at, align 8
{dynamic}  %last.watched.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 13
{dynamic}  store i64 0, ptr %last.watched.at
  %depth.at = getelementptr %Table, ptr %the.table, i64 0, i32 7
  %depth = load i64, ptr %depth.at
  %deeper = add i64 %depth, 1
  store i64 %deeper, ptr %depth.at
{timed}  %calling = getelementptr %Frame, ptr %the.frame, i64 -1
{timed}  call void @trend.tick(ptr %thread, ptr %calling)
  ret ptr %the.frame
}

; Adds the time since the last call to the cost of a frame's activation.
define hidden void @trend.tick(ptr %thread, ptr %frame) alwaysinline nounwind {
  %now = call i64 @trend_probe_4_now()
  %clock.at = getelementptr %Thread, ptr %thread, i64 0, i32 9
  %before = load i64, ptr %clock.at
  store i64 %now, ptr %clock.at
  %passed = sub i64 %now, %before
  %own.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
  %own = load i64, ptr %own.at
  %own.new = add i64 %own, %passed
  store i64 %own.new, ptr %own.at
  ret void
}

define hidden i64 @trend.mask() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %mask.at = getelementptr %Thread, ptr %thread, i64 0, i32 4
  %mask = load i64, ptr %mask.at
  ret i64 %mask
}

; Returns the XOR from the shadow of a cell to its last writer.
define hidden i64 @trend.flip() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %flip.at = getelementptr %Thread, ptr %thread, i64 0, i32 6
  %flip = load i64, ptr %flip.at
  ret i64 %flip
}

; Returns the number of the thread as a writer.
define hidden i32 @trend.writer() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %writer.at = getelementptr %Thread, ptr %thread, i64 0, i32 7
  %writer = load i32, ptr %writer.at
  ret i32 %writer
}

; Loads the ids of the activation and its caller: a callee may have renumbered them. The activation's own id is loaded twice, for
; two cells.
define hidden void @trend.reload(ptr %frame, ptr %ids.of, ptr %parent.of) alwaysinline nounwind {
  %id = load i32, ptr %frame
  %ids = call i64 @trend.twice(i32 %id)
  store i64 %ids, ptr %ids.of
  %parent = getelementptr %Frame, ptr %frame, i64 -1
  %parent.id = load i32, ptr %parent
  store i32 %parent.id, ptr %parent.of
  ret void
}

; Stores the counts in the frame before a call that may not return.
define hidden void @trend.save(ptr %frame, i64 %count, i64 %own) alwaysinline nounwind {
  %count.at = getelementptr %Frame, ptr %frame, i64 0, i32 4
  store i64 %count, ptr %count.at
{counted}  %own.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
{counted}  store i64 %own, ptr %own.at
  ret void
}

; Ends routines that did not return, where control comes back by an exception or longjmp.
define hidden void @trend.land(ptr %frame) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  %is.top = icmp eq ptr %top, %frame
  br i1 %is.top, label %done, label %above, !prof !1
above:
  %there = call i1 @trend_probe_4_unwind(ptr %thread, ptr %frame)
  br label %done
done:
  ret void
}

; Returns the frame of the running routine.
define hidden ptr @trend.running() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  ret ptr %top
}

; Returns the location of the number of cells that parts of a routine read.
define hidden ptr @trend.parts.count(ptr %frame) alwaysinline nounwind {
  %count.at = getelementptr %Frame, ptr %frame, i64 0, i32 6
  ret ptr %count.at
}

; Adds the cost of a part to its routine.
define hidden void @trend.parts.cost(ptr %frame, i64 %cost) alwaysinline nounwind {
{counted}  %sum.at = getelementptr %Frame, ptr %frame, i64 0, i32 7
{counted}  %sum = load i64, ptr %sum.at
{counted}  %sum.new = add i64 %sum, %cost
{counted}  store i64 %sum.new, ptr %sum.at
  ret void
}

; Returns true if no routine is running: the frame at the bottom has no table.
define hidden i1 @trend.is.idle() alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  %is.new = icmp eq ptr %top, null
  br i1 %is.new, label %done, label %known, !prof !0
known:
  %table.at = getelementptr %Frame, ptr %top, i64 0, i32 8
  %table = load ptr, ptr %table.at
  %is.bottom = icmp eq ptr %table, null
  br label %done
done:
  %is.idle = phi i1 [ true, %begin ], [ %is.bottom, %known ]
  ret i1 %is.idle
}

; Begins an activation of a part that no routine called.
define hidden preserve_mostcc ptr @trend.begin(ptr %routine) noinline nounwind cold {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %frame = call ptr @trend_probe_4_begin(ptr %thread, ptr %routine)
  ret ptr %frame
}

define hidden void @trend.finish(ptr %routine, ptr %frame) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  call void @trend_probe_4_finish(ptr %thread, ptr %routine, ptr %frame)
  ret void
}

define hidden void @trend.exit(ptr %frame, i64 %count, i64 %counted) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  %is.top = icmp eq ptr %top, %frame
  br i1 %is.top, label %top.is, label %above, !prof !1
above:
  %is.there = call i1 @trend_probe_4_unwind(ptr %thread, ptr %frame)
  br i1 %is.there, label %top.is, label %done
top.is:
{counted}  %parts.own.at = getelementptr %Frame, ptr %frame, i64 0, i32 7
{counted}  %parts.own = load i64, ptr %parts.own.at
{counted}  %own = add i64 %counted, %parts.own
{timed}  call void @trend.tick(ptr %thread, ptr %frame)
{timed}  %passed.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
{timed}  %own = load i64, ptr %passed.at
{dynamic}  %again.at = getelementptr %Frame, ptr %frame, i64 0, i32 9
{dynamic}  %again = load i64, ptr %again.at
{dynamic}  %kernel.at = getelementptr %Frame, ptr %frame, i64 0, i32 10
{dynamic}  %kernel = load i64, ptr %kernel.at
{dynamic}  %threads.at = getelementptr %Frame, ptr %frame, i64 0, i32 11
{dynamic}  %threads = load i64, ptr %threads.at
{dynamic}  %written = or i64 %kernel, %threads
{dynamic}  %watched = or i64 %again, %written
{dynamic}  %is.plain = icmp eq i64 %watched, 0
{dynamic}  br i1 %is.plain, label %plain, label %whole, !prof !1
{dynamic}whole:
{timed}{dynamic}  call void @trend_probe_4_end(ptr %thread, ptr %frame, i64 %count, i64 %own)
{counted}{dynamic}  call void @trend_probe_4_end(ptr %thread, ptr %frame, i64 %count, i64 %counted)
{dynamic}  br label %done
{dynamic}plain:
  %carried.at = getelementptr %Frame, ptr %frame, i64 0, i32 2
  %carried = load i64, ptr %carried.at
  %parts.count.at = getelementptr %Frame, ptr %frame, i64 0, i32 6
  %parts.count = load i64, ptr %parts.count.at
  %all.count = add i64 %count, %parts.count
  %cells = add i64 %carried, %all.count
  %inclusive.at = getelementptr %Frame, ptr %frame, i64 0, i32 3
  %inclusive = load i64, ptr %inclusive.at
  %cost = add i64 %inclusive, %own
  %table.at = getelementptr %Frame, ptr %frame, i64 0, i32 8
  %table = load ptr, ptr %table.at
  %parent = getelementptr %Frame, ptr %frame, i64 -1
  store i32 0, ptr %frame
  ; Afterwards, the frame of a signal handler may take the place of this one.
  fence syncscope("singlethread") seq_cst
  store ptr %parent, ptr %thread
  fence syncscope("singlethread") seq_cst
  %parent.carried.at = getelementptr %Frame, ptr %parent, i64 0, i32 2
  %parent.carried = load i64, ptr %parent.carried.at
  %parent.carried.new = add i64 %parent.carried, %carried
  store i64 %parent.carried.new, ptr %parent.carried.at
  %parent.inclusive.at = getelementptr %Frame, ptr %parent, i64 0, i32 3
  %parent.inclusive = load i64, ptr %parent.inclusive.at
  %parent.inclusive.new = add i64 %parent.inclusive, %cost
  store i64 %parent.inclusive.new, ptr %parent.inclusive.at
  %depth.at = getelementptr %Table, ptr %table, i64 0, i32 7
  %depth = load i64, ptr %depth.at
  %depth.new = sub i64 %depth, 1
  store i64 %depth.new, ptr %depth.at
  %is.inner = icmp ne i64 %depth.new, 0
  %inner = zext i1 %is.inner to i64
  %own.twice = shl i64 %own, 1
  %own.inner = or i64 %own.twice, %inner
  ; Sizes and costs are often consecutive or multiples of one number.
  %both = add i64 %cost, %cells
  %spread = mul i64 %both, -7046029254386353131
  %place = lshr i64 %spread, 61
  %recent = getelementptr %Table, ptr %table, i64 0, i32 10, i64 %place
  %recent.size = load i64, ptr %recent
  %is.size = icmp eq i64 %recent.size, %cells
  br i1 %is.size, label %size.is, label %other, !prof !1
size.is:
  %recent.cost.at = getelementptr %Recent, ptr %recent, i64 0, i32 1
  %recent.cost = load i64, ptr %recent.cost.at
  %is.cost = icmp eq i64 %recent.cost, %cost
  br i1 %is.cost, label %cost.is, label %other, !prof !1
cost.is:
  %recent.own.at = getelementptr %Recent, ptr %recent, i64 0, i32 2
  %recent.own = load i64, ptr %recent.own.at
  %is.own = icmp eq i64 %recent.own, %own.inner
  br i1 %is.own, label %same, label %other, !prof !1
other:
  call preserve_mostcc void @trend.record(ptr %table, ptr %recent, i64 %cells, i64 %cost, i64 %own.inner)
  br label %done
same:
  %calls.at = getelementptr %Recent, ptr %recent, i64 0, i32 3
  %calls = load i64, ptr %calls.at
  %calls.new = add i64 %calls, 1
  store i64 %calls.new, ptr %calls.at
  br label %done
done:
  ret void
}

define hidden preserve_mostcc void @trend.record(ptr %table, ptr %recent, i64 %cells, i64 %cost, i64 %own) noinline nounwind cold {
  call void @trend_probe_4_record(ptr %table, ptr %recent, i64 %cells, i64 %cost, i64 %own)
  ret void
}

; Returns the shadow of an address. `cells` clears the bits of the address within its cell; it is -1 if they are known to be clear.
define hidden i64 @trend.shadow(i64 %address, i64 %mask, i64 %cells) alwaysinline nounwind {
  %cell = and i64 %address, %cells
  %wide = shl i64 %cell, {widened}
  %inside = and i64 %wide, {inside}
  %shadow = xor i64 %inside, %mask
  ret i64 %shadow
}

; Counts cells that are also new to the caller, and to all its callers up to the one that has accessed them. That one is usually
; near. The function calls others only at its end, so it has no registers to save.
define hidden preserve_allcc void @trend.first.reads(ptr %frame, i32 %old, i64 %cells) noinline nounwind {
begin:
  %parent = getelementptr %Frame, ptr %frame, i64 -1
  %more.at = getelementptr %Frame, ptr %parent, i64 0, i32 2
  %more = load i64, ptr %more.at
  %more.new = add i64 %more, %cells
  store i64 %more.new, ptr %more.at
  %is.first = icmp eq i32 %old, 0
  br i1 %is.first, label %done, label %next
next:
  %at = phi ptr [ %parent, %begin ], [ %below, %further ]
  %steps = phi i32 [ 0, %begin ], [ %steps.new, %further ]
  %below = getelementptr %Frame, ptr %at, i64 -1
  %id = load i32, ptr %below
  %knows = icmp ule i32 %id, %old
  br i1 %knows, label %found, label %further
further:
  %steps.new = add i32 %steps, 1
  %is.far = icmp eq i32 %steps.new, 16
  br i1 %is.far, label %far, label %next, !prof !0
found:
  %less.at = getelementptr %Frame, ptr %below, i64 0, i32 2
  %less = load i64, ptr %less.at
  %less.new = sub i64 %less, %cells
  store i64 %less.new, ptr %less.at
  ret void
far:
  tail call preserve_allcc void @trend.known.far.below(ptr %below, i32 %old, i64 %cells)
  ret void
done:
  ret void
}

define hidden preserve_allcc void @trend.known.far.below(ptr %frame, i32 %old, i64 %cells) noinline nounwind cold {
  call void @trend_probe_4_known_far_below(ptr %frame, i32 %old, i64 %cells)
  ret void
}

define hidden preserve_mostcc void @trend.first.read.watched(ptr %frame, i32 %old, i64 %shadow, i64 %mask) noinline nounwind cold {
  call void @trend_probe_4_first_read_watched(ptr %frame, i64 %mask, i32 %old, i64 %shadow)
  ret void
}

; Returns true if neither the kernel nor another thread has written a cell since this thread accessed it: its id is not a
; mark, and not the id of an earlier thread.
define hidden i1 @trend.is.own(ptr %frame, i32 %old) alwaysinline nounwind {
  %address = ptrtoint ptr %frame to i64
  %bottom.address = and i64 %address, {stack_mask}
  %bottom = inttoptr i64 %bottom.address to ptr
  %last.of.others = load i32, ptr %bottom
  %is.own = icmp sgt i32 %old, %last.of.others
  ret i1 %is.own
}

; Counts a cell that is also new to the caller.
define hidden void @trend.first.read(ptr %frame, i32 %old, i64 %shadow, i64 %mask) alwaysinline nounwind {
{dynamic}begin:
{dynamic}  %is.own = call i1 @trend.is.own(ptr %frame, i32 %old)
{dynamic}  br i1 %is.own, label %own, label %watched, !prof !2
{dynamic}own:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %old, i64 1)
{dynamic}  br label %done
{dynamic}watched:
{dynamic}  call preserve_mostcc void @trend.first.read.watched(ptr %frame, i32 %old, i64 %shadow, i64 %mask)
{dynamic}  br label %done
{dynamic}done:
  ret void
}

define hidden preserve_mostcc void @trend.first.write(ptr %frame, i64 %mask, i32 %cells, i64 %shadow) noinline nounwind cold {
  call void @trend_probe_4_first_write(ptr %frame, i64 %mask, i32 %cells, i64 %shadow)
  ret void
}

; Watches a read within one cell.
define hidden void @trend.read(ptr %pointer, i64 %cells, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = call i64 @trend.shadow(i64 %address, i64 %mask, i64 %cells)
  %at = inttoptr i64 %shadow to ptr
  %old = load i32, ptr %at, align 4
  %is.new = icmp {below} i32 %old, %id
  br i1 %is.new, label %new, label %done, !prof !3
new:
  store i32 %id, ptr %at, align 4
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, 1
  store i64 %count.new, ptr %count.of
  %is.cold = icmp {below} i32 %old, %parent
  br i1 %is.cold, label %cold, label %done, !prof !0
cold:
  call void @trend.first.read(ptr %frame, i32 %old, i64 %shadow, i64 %mask)
  br label %done
done:
  ret void
}

; Watches a read of a value that may cross cells: of the cells of its first and its last byte.
define hidden void @trend.read.ends(ptr %pointer, i64 %last, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
  %end = getelementptr i8, ptr %pointer, i64 %last
  call void @trend.read(ptr %pointer, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of)
  call void @trend.read(ptr %end, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of)
  ret void
}

; Watches a read of two adjacent cells of 4 bytes. Usually, one activation was the last to access both.
define hidden void @trend.read.pair(ptr %pointer, i64 %mask, ptr %frame, i64 %ids, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  %old = load i64, ptr %at, align 4
  %is.known = icmp eq i64 %old, %ids
  br i1 %is.known, label %done, label %other, !prof !2
other:
  %id = trunc i64 %ids to i32
  store i64 %ids, ptr %at, align 4
  %low = trunc i64 %old to i32
  %swapped = call i64 @llvm.fshl.i64(i64 %old, i64 %old, i64 32)
  %is.one = icmp eq i64 %old, %swapped
  br i1 %is.one, label %one, label %two, !prof !2
one:
  %is.new = icmp {below} i32 %low, %id
  br i1 %is.new, label %new, label %done, !prof !2
new:
  %is.cold = icmp {below} i32 %low, %parent
  br i1 %is.cold, label %cold, label %count.both
cold:
{dynamic}  %is.own = call i1 @trend.is.own(ptr %frame, i32 %low)
{dynamic}  br i1 %is.own, label %own, label %two, !prof !2
{dynamic}own:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 2)
  br label %count.both
count.both:
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, 2
  store i64 %count.new, ptr %count.of
  br label %done
two:
  %news = call {saving} i64 @trend.read.two(ptr %frame, i64 %old, i32 %id, i32 %parent, i64 %shadow, i64 %mask)
  %all = load i64, ptr %count.of
  %all.new = add i64 %all, %news
  store i64 %all.new, ptr %count.of
  br label %done
done:
  ret void
}

; Returns how many of two adjacent cells are new, if different activations were the last to access them. If writes
; of the kernel and of other threads are watched, it calls the runtime, and its callers must save the vector registers
; that they need.
define hidden {saving} i64 @trend.read.two(ptr %frame, i64 %old, i32 %id, i32 %parent, i64 %shadow, i64 %mask) noinline nounwind {
begin:
  %low = trunc i64 %old to i32
  %high.wide = lshr i64 %old, 32
  %high = trunc i64 %high.wide to i32
  %low.cold = icmp {below} i32 %low, %parent
  br i1 %low.cold, label %cold.low, label %then
cold.low:
  call void @trend.first.read(ptr %frame, i32 %low, i64 %shadow, i64 %mask)
  br label %then
then:
  %high.cold = icmp {below} i32 %high, %parent
  br i1 %high.cold, label %cold.high, label %done
cold.high:
  %high.shadow = add i64 %shadow, 4
  call void @trend.first.read(ptr %frame, i32 %high, i64 %high.shadow, i64 %mask)
  br label %done
done:
  %low.new = icmp {below} i32 %low, %id
  %high.new = icmp {below} i32 %high, %id
  %low.one = zext i1 %low.new to i64
  %high.one = zext i1 %high.new to i64
  %news = add i64 %low.one, %high.one
  ret i64 %news
}

; Watches a read of four adjacent cells of 4 bytes. Only used if writes of the kernel and of
; other threads are not watched.
define hidden void @trend.read.four(ptr %pointer, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  %old = load <4 x i32>, ptr %at, align 4
  %one = insertelement <4 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %differ = icmp ne <4 x i32> %old, %ids
  %differ.bits = bitcast <4 x i1> %differ to i4
  %is.known = icmp eq i4 %differ.bits, 0
  br i1 %is.known, label %done, label %other, !prof !2
other:
  call void @trend.read.range(ptr %pointer, i64 16, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of)
  store <4 x i32> %ids, ptr %at, align 4
  br label %done
done:
  ret void
}

; Watches a read of 8 bytes that may start within a cell: of 2 or 3 cells of 4 bytes.
define hidden void @trend.read.wide.8(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 4, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  ; Shadows are contiguous for 2 KB at a time.
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %old = load <2 x i32>, ptr %at, align 4
  %last.old = load i32, ptr %last.at, align 4
  %one = insertelement <2 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  %differ = icmp ne <2 x i32> %old, %ids
  %differ.bits = bitcast <2 x i1> %differ to i2
  %are.known = icmp eq i2 %differ.bits, 0
  %last.is.id = icmp eq i32 %last.old, %id
  %last.known = or i1 %is.whole, %last.is.id
  %is.known = and i1 %are.known, %last.known
  br i1 %is.known, label %done, label %other, !prof !2
other:
  %low = extractelement <2 x i32> %old, i64 0
  %low.one = insertelement <2 x i32> poison, i32 %low, i64 0
  %lows = shufflevector <2 x i32> %low.one, <2 x i32> poison, <2 x i32> zeroinitializer
  %vary = icmp ne <2 x i32> %old, %lows
  %vary.bits = bitcast <2 x i1> %vary to i2
  %are.equal = icmp eq i2 %vary.bits, 0
  %last.is.low = icmp eq i32 %last.old, %low
  %last.equal = or i1 %is.whole, %last.is.low
  %is.one = and i1 %are.equal, %last.equal
  br i1 %is.one, label %same, label %slow, !prof !2
same:
  %is.new = icmp ult i32 %low, %id
  br i1 %is.new, label %new, label %done, !prof !2
new:
  store <2 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  %length = sub i64 %last, %first
  %steps = lshr i64 %length, 2
  %cells = add i64 %steps, 1
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %cells
  store i64 %count.new, ptr %count.of
  %is.cold = icmp ult i32 %low, %parent
  br i1 %is.cold, label %cold, label %done
cold:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 %cells)
  br label %done
slow:
  %slow.new = call {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 8, i32 %id, i32 %parent)
  %all = load i64, ptr %count.of
  %all.new = add i64 %all, %slow.new
  store i64 %all.new, ptr %count.of
  br label %done
done:
  ret void
}

; Watches a read of 16 bytes that may start within a cell: of 4 or 5 cells of 4 bytes.
define hidden void @trend.read.wide.16(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 12, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  ; Shadows are contiguous for 2 KB at a time.
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %old = load <4 x i32>, ptr %at, align 4
  %last.old = load i32, ptr %last.at, align 4
  %one = insertelement <4 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %differ = icmp ne <4 x i32> %old, %ids
  %differ.bits = bitcast <4 x i1> %differ to i4
  %are.known = icmp eq i4 %differ.bits, 0
  %last.is.id = icmp eq i32 %last.old, %id
  %last.known = or i1 %is.whole, %last.is.id
  %is.known = and i1 %are.known, %last.known
  br i1 %is.known, label %done, label %other, !prof !2
other:
  %low = extractelement <4 x i32> %old, i64 0
  %low.one = insertelement <4 x i32> poison, i32 %low, i64 0
  %lows = shufflevector <4 x i32> %low.one, <4 x i32> poison, <4 x i32> zeroinitializer
  %vary = icmp ne <4 x i32> %old, %lows
  %vary.bits = bitcast <4 x i1> %vary to i4
  %are.equal = icmp eq i4 %vary.bits, 0
  %last.is.low = icmp eq i32 %last.old, %low
  %last.equal = or i1 %is.whole, %last.is.low
  %is.one = and i1 %are.equal, %last.equal
  br i1 %is.one, label %same, label %slow, !prof !2
same:
  %is.new = icmp ult i32 %low, %id
  br i1 %is.new, label %new, label %done, !prof !2
new:
  store <4 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  %length = sub i64 %last, %first
  %steps = lshr i64 %length, 2
  %cells = add i64 %steps, 1
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %cells
  store i64 %count.new, ptr %count.of
  %is.cold = icmp ult i32 %low, %parent
  br i1 %is.cold, label %cold, label %done
cold:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 %cells)
  br label %done
slow:
  %slow.new = call {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 16, i32 %id, i32 %parent)
  %all = load i64, ptr %count.of
  %all.new = add i64 %all, %slow.new
  store i64 %all.new, ptr %count.of
  br label %done
done:
  ret void
}

; Watches a read of 32 bytes that may start within a cell: of 8 or 9 cells of 4 bytes.
define hidden void @trend.read.wide.32(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 28, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  ; Shadows are contiguous for 2 KB at a time.
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %old = load <8 x i32>, ptr %at, align 4
  %last.old = load i32, ptr %last.at, align 4
  %one = insertelement <8 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %differ = icmp ne <8 x i32> %old, %ids
  %differ.bits = bitcast <8 x i1> %differ to i8
  %are.known = icmp eq i8 %differ.bits, 0
  %last.is.id = icmp eq i32 %last.old, %id
  %last.known = or i1 %is.whole, %last.is.id
  %is.known = and i1 %are.known, %last.known
  br i1 %is.known, label %done, label %other, !prof !2
other:
  %low = extractelement <8 x i32> %old, i64 0
  %low.one = insertelement <8 x i32> poison, i32 %low, i64 0
  %lows = shufflevector <8 x i32> %low.one, <8 x i32> poison, <8 x i32> zeroinitializer
  %vary = icmp ne <8 x i32> %old, %lows
  %vary.bits = bitcast <8 x i1> %vary to i8
  %are.equal = icmp eq i8 %vary.bits, 0
  %last.is.low = icmp eq i32 %last.old, %low
  %last.equal = or i1 %is.whole, %last.is.low
  %is.one = and i1 %are.equal, %last.equal
  br i1 %is.one, label %same, label %slow, !prof !2
same:
  %is.new = icmp ult i32 %low, %id
  br i1 %is.new, label %new, label %done, !prof !2
new:
  store <8 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  %length = sub i64 %last, %first
  %steps = lshr i64 %length, 2
  %cells = add i64 %steps, 1
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %cells
  store i64 %count.new, ptr %count.of
  %is.cold = icmp ult i32 %low, %parent
  br i1 %is.cold, label %cold, label %done
cold:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 %cells)
  br label %done
slow:
  %slow.new = call {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 32, i32 %id, i32 %parent)
  %all = load i64, ptr %count.of
  %all.new = add i64 %all, %slow.new
  store i64 %all.new, ptr %count.of
  br label %done
done:
  ret void
}

; Watches a read of 64 bytes that may start within a cell: of 16 or 17 cells of 4 bytes.
define hidden void @trend.read.wide.64(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 60, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  ; Shadows are contiguous for 2 KB at a time.
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %old = load <16 x i32>, ptr %at, align 4
  %last.old = load i32, ptr %last.at, align 4
  %one = insertelement <16 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %differ = icmp ne <16 x i32> %old, %ids
  %differ.bits = bitcast <16 x i1> %differ to i16
  %are.known = icmp eq i16 %differ.bits, 0
  %last.is.id = icmp eq i32 %last.old, %id
  %last.known = or i1 %is.whole, %last.is.id
  %is.known = and i1 %are.known, %last.known
  br i1 %is.known, label %done, label %other, !prof !2
other:
  %low = extractelement <16 x i32> %old, i64 0
  %low.one = insertelement <16 x i32> poison, i32 %low, i64 0
  %lows = shufflevector <16 x i32> %low.one, <16 x i32> poison, <16 x i32> zeroinitializer
  %vary = icmp ne <16 x i32> %old, %lows
  %vary.bits = bitcast <16 x i1> %vary to i16
  %are.equal = icmp eq i16 %vary.bits, 0
  %last.is.low = icmp eq i32 %last.old, %low
  %last.equal = or i1 %is.whole, %last.is.low
  %is.one = and i1 %are.equal, %last.equal
  br i1 %is.one, label %same, label %slow, !prof !2
same:
  %is.new = icmp ult i32 %low, %id
  br i1 %is.new, label %new, label %done, !prof !2
new:
  store <16 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  %length = sub i64 %last, %first
  %steps = lshr i64 %length, 2
  %cells = add i64 %steps, 1
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %cells
  store i64 %count.new, ptr %count.of
  %is.cold = icmp ult i32 %low, %parent
  br i1 %is.cold, label %cold, label %done
cold:
  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 %cells)
  br label %done
slow:
  %slow.new = call {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 64, i32 %id, i32 %parent)
  %all = load i64, ptr %count.of
  %all.new = add i64 %all, %slow.new
  store i64 %all.new, ptr %count.of
  br label %done
done:
  ret void
}

; Returns how many of some cells of 4 bytes are new to a read. If writes of the kernel and of other
; threads are not watched, eight or two cells are checked together if one activation was the last to access them.
define hidden {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 %length, i32 %id, i32 %parent) noinline nounwind {
begin:
  %first = and i64 %address, -4
  %behind = add i64 %address, %length
{dynamic}  br label %next
{static}  ; Shadows are contiguous for 2 KB at a time.
{static}  %last.byte = sub i64 %behind, 1
{static}  %apart = xor i64 %first, %last.byte
{static}  %is.cut = icmp ugt i64 %apart, 2047
{static}  br i1 %is.cut, label %next, label %whole, !prof !0
{static}whole:
{static}  %last = and i64 %last.byte, -4
{static}  %ids = call i64 @trend.twice(i32 %id)
{static}  %shadow.first = xor i64 %first, %mask
{static}  %shadow.last = xor i64 %last, %mask
{static}  %eight.one = insertelement <8 x i32> poison, i32 %id, i64 0
{static}  %eight.ids = shufflevector <8 x i32> %eight.one, <8 x i32> poison, <8 x i32> zeroinitializer
{static}  br label %eight
{static}eight:
{static}  %eight.shadow = phi i64 [ %shadow.first, %whole ], [ %eight.next, %eight.known ]
{static}  %eight.news = phi i64 [ 0, %whole ], [ %eight.all, %eight.known ]
{static}  %eight.last = add i64 %eight.shadow, 28
{static}  %is.room = icmp ule i64 %eight.last, %shadow.last
{static}  br i1 %is.room, label %eight.read, label %eight.rest
{static}eight.read:
{static}  %eight.at = inttoptr i64 %eight.shadow to ptr
{static}  %eight.old = load <8 x i32>, ptr %eight.at, align 4
{static}  %eight.low = extractelement <8 x i32> %eight.old, i64 0
{static}  %eight.low.one = insertelement <8 x i32> poison, i32 %eight.low, i64 0
{static}  %eight.lows = shufflevector <8 x i32> %eight.low.one, <8 x i32> poison, <8 x i32> zeroinitializer
{static}  %eight.vary = icmp ne <8 x i32> %eight.old, %eight.lows
{static}  %eight.vary.bits = bitcast <8 x i1> %eight.vary to i8
{static}  %eight.are.equal = icmp eq i8 %eight.vary.bits, 0
{static}  br i1 %eight.are.equal, label %eight.equal, label %two
{static}eight.equal:
{static}  %eight.is.new = icmp ult i32 %eight.low, %id
{static}  br i1 %eight.is.new, label %eight.new, label %eight.known
{static}eight.new:
{static}  store <8 x i32> %eight.ids, ptr %eight.at, align 4
{static}  %eight.more = add i64 %eight.news, 8
{static}  %eight.is.cold = icmp ult i32 %eight.low, %parent
{static}  br i1 %eight.is.cold, label %eight.cold, label %eight.known
{static}eight.cold:
{static}  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %eight.low, i64 8)
{static}  br label %eight.known
{static}eight.known:
{static}  %eight.all = phi i64 [ %eight.news, %eight.equal ], [ %eight.more, %eight.new ], [ %eight.more, %eight.cold ]
{static}  %eight.next = add i64 %eight.shadow, 32
{static}  %is.end = icmp ugt i64 %eight.next, %shadow.last
{static}  br i1 %is.end, label %done, label %eight
{static}eight.rest:
{static}  %is.single = icmp eq i64 %eight.shadow, %shadow.last
{static}  br i1 %is.single, label %one, label %two
{static}two:
{static}  %two.shadow = phi i64 [ %eight.shadow, %eight.read ], [ %eight.shadow, %eight.rest ], [ %two.next, %two.known ], [ %one.next, %one.known ]
{static}  %two.news = phi i64 [ %eight.news, %eight.read ], [ %eight.news, %eight.rest ], [ %two.all, %two.known ], [ %one.all, %one.known ]
{static}  %two.at = inttoptr i64 %two.shadow to ptr
{static}  %olds = load i64, ptr %two.at, align 4
{static}  %are.known = icmp eq i64 %olds, %ids
{static}  br i1 %are.known, label %two.known, label %two.other
{static}two.other:
{static}  %swapped = call i64 @llvm.fshl.i64(i64 %olds, i64 %olds, i64 32)
{static}  %are.equal = icmp eq i64 %olds, %swapped
{static}  br i1 %are.equal, label %two.equal, label %one
{static}two.equal:
{static}  %low = trunc i64 %olds to i32
{static}  %low.new = icmp ult i32 %low, %id
{static}  br i1 %low.new, label %two.new, label %two.known
{static}two.new:
{static}  store i64 %ids, ptr %two.at, align 4
{static}  %two.more = add i64 %two.news, 2
{static}  %low.cold = icmp ult i32 %low, %parent
{static}  br i1 %low.cold, label %two.cold, label %two.known
{static}two.cold:
{static}  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %low, i64 2)
{static}  br label %two.known
{static}two.known:
{static}  %two.all = phi i64 [ %two.news, %two ], [ %two.news, %two.equal ], [ %two.more, %two.new ], [ %two.more, %two.cold ]
{static}  %two.next = add i64 %two.shadow, 8
{static}  %two.is.more = icmp ult i64 %two.next, %shadow.last
{static}  br i1 %two.is.more, label %two, label %two.rest
{static}two.rest:
{static}  %two.is.odd = icmp eq i64 %two.next, %shadow.last
{static}  br i1 %two.is.odd, label %one, label %done
{static}one:
{static}  %one.shadow = phi i64 [ %eight.shadow, %eight.rest ], [ %two.shadow, %two.other ], [ %two.next, %two.rest ], [ %one.next, %one.rest ]
{static}  %one.news = phi i64 [ %eight.news, %eight.rest ], [ %two.news, %two.other ], [ %two.all, %two.rest ], [ %one.all, %one.rest ]
{static}  %one.at = inttoptr i64 %one.shadow to ptr
{static}  %one.old = load i32, ptr %one.at, align 4
{static}  %one.is.new = icmp ult i32 %one.old, %id
{static}  br i1 %one.is.new, label %one.new, label %one.known
{static}one.new:
{static}  store i32 %id, ptr %one.at, align 4
{static}  %one.more = add i64 %one.news, 1
{static}  %one.is.cold = icmp ult i32 %one.old, %parent
{static}  br i1 %one.is.cold, label %one.cold, label %one.known
{static}one.cold:
{static}  call preserve_allcc void @trend.first.reads(ptr %frame, i32 %one.old, i64 1)
{static}  br label %one.known
{static}one.known:
{static}  %one.all = phi i64 [ %one.news, %one ], [ %one.more, %one.new ], [ %one.more, %one.cold ]
{static}  %one.next = add i64 %one.shadow, 4
{static}  %one.is.more = icmp ult i64 %one.next, %shadow.last
{static}  br i1 %one.is.more, label %two, label %one.rest
{static}one.rest:
{static}  %one.is.odd = icmp eq i64 %one.next, %shadow.last
{static}  br i1 %one.is.odd, label %one, label %done
next:
  %cell = phi i64 [ %first, %begin ], [ %cell.next, %known ]
  %news = phi i64 [ 0, %begin ], [ %news.next, %known ]
  %shadow = xor i64 %cell, %mask
  %at = inttoptr i64 %shadow to ptr
  %old = load i32, ptr %at, align 4
  %is.new = icmp {below} i32 %old, %id
  br i1 %is.new, label %new, label %known
new:
  store i32 %id, ptr %at, align 4
  %news.more = add i64 %news, 1
  %is.cold = icmp {below} i32 %old, %parent
  br i1 %is.cold, label %cold, label %known
cold:
  call void @trend.first.read(ptr %frame, i32 %old, i64 %shadow, i64 %mask)
  br label %known
known:
  %news.next = phi i64 [ %news, %next ], [ %news.more, %new ], [ %news.more, %cold ]
  %cell.next = add i64 %cell, 4
  %is.more = icmp ult i64 %cell.next, %behind
  br i1 %is.more, label %next, label %done
done:
{dynamic}  ret i64 %news.next
{static}  %all.news = phi i64 [ %news.next, %known ], [ %eight.all, %eight.known ], [ %two.all, %two.rest ], [ %one.all, %one.rest ]
{static}  ret i64 %all.news
}

; Watches a write of some cells of 4 bytes, one by one.
define hidden preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 %length, i32 %id) noinline nounwind {
begin:
  %first = and i64 %address, -4
  %behind = add i64 %address, %length
  br label %next
next:
  %cell = phi i64 [ %first, %begin ], [ %cell.next, %next ]
  %shadow = xor i64 %cell, %mask
  %at = inttoptr i64 %shadow to ptr
  store i32 %id, ptr %at, align 4
  %cell.next = add i64 %cell, 4
  %is.more = icmp ult i64 %cell.next, %behind
  br i1 %is.more, label %next, label %done
done:
  ret void
}

define hidden void @trend.write.wide.8(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 4, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %one = insertelement <2 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  store <2 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  br label %done
slow:
  call preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 8, i32 %id)
  br label %done
done:
  ret void
}

define hidden void @trend.write.wide.16(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 12, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %one = insertelement <4 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  store <4 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  br label %done
slow:
  call preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 16, i32 %id)
  br label %done
done:
  ret void
}

define hidden void @trend.write.wide.32(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 28, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %one = insertelement <8 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  store <8 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  br label %done
slow:
  call preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 32, i32 %id)
  br label %done
done:
  ret void
}

define hidden void @trend.write.wide.64(ptr %pointer, i64 %ends, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  ; If the cells are whole, there is no further cell after them.
  %is.whole = icmp eq i64 %ends, -1
  %cells.of = select i1 %is.whole, i64 -1, i64 -4
  %to.last = select i1 %is.whole, i64 60, i64 %ends
  %first = and i64 %address, %cells.of
  %behind = add i64 %address, %to.last
  %last = and i64 %behind, %cells.of
  %apart = xor i64 %first, %last
  %is.cut = icmp ugt i64 %apart, 2047
  br i1 %is.cut, label %slow, label %whole, !prof !0
whole:
  %shadow = xor i64 %first, %mask
  %at = inttoptr i64 %shadow to ptr
  %last.shadow = xor i64 %last, %mask
  %last.apart = inttoptr i64 %last.shadow to ptr
  %last.at = select i1 %is.whole, ptr %at, ptr %last.apart
  %one = insertelement <16 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  store <16 x i32> %ids, ptr %at, align 4
  store i32 %id, ptr %last.at, align 4
  br label %done
slow:
  call preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 64, i32 %id)
  br label %done
done:
  ret void
}

; Watches a read of a range. Most ranges are short.
define hidden void @trend.read.range(ptr %pointer, i64 %length, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
{short.read}  %less = sub i64 %length, 1
{short.read}  %is.short = icmp ult i64 %less, 64
{short.read}  br i1 %is.short, label %short, label %long, !prof !2
{short.read}short:
{short.read}  %is.tiny = icmp ult i64 %less, 8
{short.read}  br i1 %is.tiny, label %tiny, label %some
{short.read}tiny:
{short.read}  ; At most three cells, which the activation has usually accessed.
{short.read}  %first = and i64 %address, -4
{short.read}  %end = add i64 %address, %less
{short.read}  %last = and i64 %end, -4
{short.read}  %next = add i64 %first, 4
{short.read}  %middle = call i64 @llvm.umin.i64(i64 %next, i64 %last)
{short.read}  %first.shadow = xor i64 %first, %mask
{short.read}  %middle.shadow = xor i64 %middle, %mask
{short.read}  %last.shadow = xor i64 %last, %mask
{short.read}  %first.at = inttoptr i64 %first.shadow to ptr
{short.read}  %middle.at = inttoptr i64 %middle.shadow to ptr
{short.read}  %last.at = inttoptr i64 %last.shadow to ptr
{short.read}  %first.old = load i32, ptr %first.at, align 4
{short.read}  %middle.old = load i32, ptr %middle.at, align 4
{short.read}  %last.old = load i32, ptr %last.at, align 4
{short.read}  %first.new = icmp {below} i32 %first.old, %id
{short.read}  %middle.new = icmp {below} i32 %middle.old, %id
{short.read}  %last.new = icmp {below} i32 %last.old, %id
{short.read}  %one.new = or i1 %first.new, %middle.new
{short.read}  %any.new = or i1 %one.new, %last.new
{short.read}  br i1 %any.new, label %some, label %known, !prof !3
{short.read}known:
{short.read}  ret void
{short.read}some:
{short.read}  %short.new = call {saving} i64 @trend.read.cells(ptr %frame, i64 %mask, i64 %address, i64 %length, i32 %id, i32 %parent)
{short.read}  br label %done
{short.read}long:
  %long.new = call i64 @trend_probe_4_read_range(ptr %frame, i64 %mask, i32 {shift}, i64 %address, i64 %length, i64 0)
{short.read}  br label %done
{short.read}done:
{short.read}  %new = phi i64 [ %short.new, %some ], [ %long.new, %long ]
{long.read}  %new = add i64 %long.new, 0
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %new
  store i64 %count.new, ptr %count.of
  ret void
}


; Returns field 4 or 5 of the frame, which `trend.save` stored.
define hidden i64 @trend.saved(ptr %frame, i64 %field) alwaysinline nounwind {
  %is.own = icmp eq i64 %field, 5
  %count.at = getelementptr %Frame, ptr %frame, i64 0, i32 4
  %own.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
  %at = select i1 %is.own, ptr %own.at, ptr %count.at
  %value = load volatile i64, ptr %at
  ret i64 %value
}

; Counts a call of a function that is not probed, as far as this module knows.
define hidden void @trend.external(ptr %function) alwaysinline nounwind {
begin:
  %calls = load ptr, ptr %function
  %is.new = icmp eq ptr %calls, null
  br i1 %is.new, label %new, label %known, !prof !0
new:
  %calls.new = call ptr @trend_probe_4_external(ptr %function)
  br label %known
known:
  %at = phi ptr [ %calls, %begin ], [ %calls.new, %new ]
  %before = load i64, ptr %at
  %after = add i64 %before, 1
  store i64 %after, ptr %at
  ret void
}

; Watches a write within one cell.
define hidden void @trend.write(ptr %pointer, i64 %cells, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = call i64 @trend.shadow(i64 %address, i64 %mask, i64 %cells)
  %at = inttoptr i64 %shadow to ptr
  store i32 %id, ptr %at, align 4
{static}  ret void
{dynamic}  %owner.address = xor i64 %shadow, %flip
{dynamic}  %owner.at = inttoptr i64 %owner.address to ptr
{dynamic}  %owner = load i32, ptr %owner.at, align 4
{dynamic}  %is.own = icmp eq i32 %owner, %writer
{dynamic}  br i1 %is.own, label %done, label %cold, !prof !1
{dynamic}cold:
{dynamic}  call preserve_mostcc void @trend.first.write(ptr %frame, i64 %mask, i32 1, i64 %shadow)
{dynamic}  br label %done
{dynamic}done:
{dynamic}  ret void
}

define hidden void @trend.write.ends(ptr %pointer, i64 %last, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
  %end = getelementptr i8, ptr %pointer, i64 %last
  call void @trend.write(ptr %pointer, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer)
  call void @trend.write(ptr %end, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer)
  ret void
}

define hidden void @trend.write.pair(ptr %pointer, i64 %mask, ptr %frame, i64 %ids, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  store i64 %ids, ptr %at, align 4
{static}  ret void
{dynamic}  %owner.address = xor i64 %shadow, %flip
{dynamic}  %owner.at = inttoptr i64 %owner.address to ptr
{dynamic}  %owners = load i64, ptr %owner.at, align 4
{dynamic}  %writers = call i64 @trend.twice(i32 %writer)
{dynamic}  %is.own = icmp eq i64 %owners, %writers
{dynamic}  br i1 %is.own, label %done, label %cold, !prof !1
{dynamic}cold:
{dynamic}  call preserve_mostcc void @trend.first.write(ptr %frame, i64 %mask, i32 2, i64 %shadow)
{dynamic}  br label %done
{dynamic}done:
{dynamic}  ret void
}

define hidden i64 @trend.twice(i32 %id) alwaysinline nounwind {
  %id.wide = zext i32 %id to i64
  %id.high = shl i64 %id.wide, 32
  %both = or i64 %id.high, %id.wide
  ret i64 %both
}

define hidden void @trend.write.four(ptr %pointer, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  %one = insertelement <4 x i32> poison, i32 %id, i64 0
  %ids = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  store <4 x i32> %ids, ptr %at, align 4
  ret void
}

define hidden void @trend.write.range(ptr %pointer, i64 %length, i64 %mask, ptr %frame, i32 %id) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
{short.write}  %less = sub i64 %length, 1
{short.write}  %is.short = icmp ult i64 %less, 64
{short.write}  br i1 %is.short, label %short, label %long, !prof !2
{short.write}short:
{short.write}  call preserve_allcc void @trend.write.cells(i64 %mask, i64 %address, i64 %length, i32 %id)
{short.write}  ret void
{short.write}long:
  %none = call i64 @trend_probe_4_write_range(ptr %frame, i64 %mask, i32 {shift}, i64 %address, i64 %length, i64 0)
  ret void
}


; Records new memory for the running activation. Its first `kept` bytes were moved from `old`.
define hidden void @trend.given(ptr %memory, i64 %length, ptr %old, i64 %kept) alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_4_thread)
  %top = load ptr, ptr %thread
  %is.idle = icmp eq ptr %top, null
  %is.null = icmp eq ptr %memory, null
  %is.nothing = or i1 %is.idle, %is.null
  br i1 %is.nothing, label %done, label %tell
tell:
  %mask.at = getelementptr %Thread, ptr %thread, i64 0, i32 4
  %mask = load i64, ptr %mask.at
  %from = ptrtoint ptr %old to i64
  %to = ptrtoint ptr %memory to i64
  %same = call i64 @llvm.umin.i64(i64 %kept, i64 %length)
  %has.kept = icmp ne i64 %same, 0
  br i1 %has.kept, label %move, label %give
move:
  %moved = call i64 @trend_probe_4_moved(ptr %top, i64 %mask, i32 {shift}, i64 %from, i64 %to, i64 %same)
  br label %give
give:
  %start = add i64 %to, %same
  %rest = sub i64 %length, %same
  %given = call i64 @trend_probe_4_given(ptr %top, i64 %mask, i32 {shift}, i64 %start, i64 %rest, i64 0)
  br label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{!"branch_weights", i32 4, i32 1}
!3 = !{!"branch_weights", i32 1, i32 4}
