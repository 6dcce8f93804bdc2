; What is put into the code of routines. Layouts are those of trend-runtime: record.rs and thread.rs.
; `{shift}` is the size of a cell in bytes, as a power of two; `{widened}` the bits by which its shadow is larger. Lines
; behind `{dynamic}` are there where the kernel and other threads are watched: ids are then below 2^30, and a cell that one
; of these wrote has a negative one. Lines behind `{contexts}` are there where calling contexts are told apart, and lines
; behind `{timed}` where costs are nanoseconds.

target triple = "x86_64-unknown-linux-gnu"

%Thread = type { ptr, ptr, i32, i32, i64, ptr, i64, i32, i32, i64 }
%Frame = type { i32, i32, i64, i64, i64, i64, ptr, i64, i64, i64, i64, i64 }
%Table = type { i64, i32, i32, i64, i64, i64, i64, ptr, i64, ptr, i64 }
%Entry = type { i64, i64, i64, i64, i64, i64 }

; One for the program and all of its libraries.
@trend_probe_3_thread = linkonce_odr thread_local(initialexec) global %Thread zeroinitializer, align 8

declare void @trend_probe_3_slow_enter(ptr, ptr)
declare ptr @trend_probe_3_called(ptr, ptr)
declare i64 @trend_probe_3_now()
declare void @trend_probe_3_known_far_below(ptr, i32)
declare void @trend_probe_3_first_read_watched(ptr, i64, i32, i64)
declare void @trend_probe_3_first_write(ptr, i64, i32, i64)
declare void @trend_probe_3_end(ptr, ptr, i64, i64)
declare i1 @trend_probe_3_unwind(ptr, ptr)
declare void @trend_probe_3_record(ptr, i64, i64, i64)
declare i64 @trend_probe_3_read_range(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_3_write_range(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_3_given(ptr, i64, i32, i64, i64, i64)
declare i64 @trend_probe_3_moved(ptr, i64, i32, i64, i64, i64)
declare ptr @trend_probe_3_external(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i32 @llvm.umax.i32(i32, i32)

; The frame of a new activation.
define hidden ptr @trend.enter(ptr %routine) alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
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
{contexts}  ; It is that of this call where the routine runs already, or was called from here the last time.
{contexts}  %running.at = getelementptr %Table, ptr %last.table, i64 0, i32 8
{contexts}  %running = load i64, ptr %running.at
{contexts}  %is.running = icmp ne i64 %running, 0
{contexts}  %caller.at = getelementptr %Table, ptr %last.table, i64 0, i32 9
{contexts}  %caller = load ptr, ptr %caller.at
{contexts}  %top.table.at = getelementptr %Frame, ptr %top, i64 0, i32 6
{contexts}  %top.table = load ptr, ptr %top.table.at
{contexts}  %is.from.here = icmp eq ptr %caller, %top.table
{contexts}  %is.last = or i1 %is.running, %is.from.here
{contexts}  br i1 %is.last, label %known, label %other, !prof !1
{contexts}other:
{contexts}  %other.table = call ptr @trend_probe_3_called(ptr %thread, ptr %routine)
{contexts}  br label %known
known:
{flat}  %table = phi ptr [ %last.table, %room ]
{contexts}  %table = phi ptr [ %last.table, %called ], [ %other.table, %other ]
  %last.at = getelementptr %Thread, ptr %thread, i64 0, i32 2
  %last = load i32, ptr %last.at
  %is.over = icmp uge i32 %last, {last_id}
  br i1 %is.over, label %slow, label %go, !prof !0
slow:
  call void @trend_probe_3_slow_enter(ptr %thread, ptr %routine)
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
  %frame.table.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 6
{contexts}  store ptr %the.table, ptr %frame.table.at
  ; A signal's handler may be probed: from here on its frame is above this one.
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
  store ptr %the.table, ptr %frame.table.at
{contexts}  ; A handler that ran before may have called the routine from elsewhere.
{contexts}  %go.tables.at = getelementptr %Thread, ptr %thread, i64 0, i32 5
{contexts}  %go.tables = load ptr, ptr %go.tables.at
{contexts}  %the.index.wide = zext i32 %the.index to i64
{contexts}  %go.table.at = getelementptr ptr, ptr %go.tables, i64 %the.index.wide
{contexts}  store ptr %the.table, ptr %go.table.at
{dynamic}  %watched.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 7
{dynamic}  store <4 x i64> zeroinitializer, ptr %watched.at, align 8
{dynamic}  %last.watched.at = getelementptr %Frame, ptr %the.frame, i64 0, i32 11
{dynamic}  store i64 0, ptr %last.watched.at
  %depth.at = getelementptr %Table, ptr %the.table, i64 0, i32 8
  %depth = load i64, ptr %depth.at
  %deeper = add i64 %depth, 1
  store i64 %deeper, ptr %depth.at
{timed}  %calling = getelementptr %Frame, ptr %the.frame, i64 -1
{timed}  call void @trend.tick(ptr %thread, ptr %calling)
  ret ptr %the.frame
}

; What passed since the last time is the cost of a frame's activation.
define hidden void @trend.tick(ptr %thread, ptr %frame) alwaysinline nounwind {
  %now = call i64 @trend_probe_3_now()
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
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
  %mask.at = getelementptr %Thread, ptr %thread, i64 0, i32 4
  %mask = load i64, ptr %mask.at
  ret i64 %mask
}

; What brings the shadow of a cell to what is known of who wrote it.
define hidden i64 @trend.flip() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
  %flip.at = getelementptr %Thread, ptr %thread, i64 0, i32 6
  %flip = load i64, ptr %flip.at
  ret i64 %flip
}

; The number of the thread as a writer.
define hidden i32 @trend.writer() alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
  %writer.at = getelementptr %Thread, ptr %thread, i64 0, i32 7
  %writer = load i32, ptr %writer.at
  ret i32 %writer
}

; Ids can be given anew while a called routine runs.
define hidden void @trend.reload(ptr %frame, ptr %id.of, ptr %parent.of) alwaysinline nounwind {
  %id = load i32, ptr %frame
  store i32 %id, ptr %id.of
  %parent = getelementptr %Frame, ptr %frame, i64 -1
  %parent.id = load i32, ptr %parent
  store i32 %parent.id, ptr %parent.of
  ret void
}

; Before a call that may not return.
define hidden void @trend.save(ptr %frame, i64 %count, i64 %own) alwaysinline nounwind {
  %count.at = getelementptr %Frame, ptr %frame, i64 0, i32 4
  store i64 %count, ptr %count.at
{counted}  %own.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
{counted}  store i64 %own, ptr %own.at
  ret void
}

; Where control comes back from routines that did not return: exceptions and longjmp.
define hidden void @trend.land(ptr %frame) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
  %top = load ptr, ptr %thread
  %is.top = icmp eq ptr %top, %frame
  br i1 %is.top, label %done, label %above, !prof !1
above:
  %there = call i1 @trend_probe_3_unwind(ptr %thread, ptr %frame)
  br label %done
done:
  ret void
}

define hidden void @trend.exit(ptr %frame, i64 %count, i64 %counted) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
  %top = load ptr, ptr %thread
  %is.top = icmp eq ptr %top, %frame
  br i1 %is.top, label %top.is, label %above, !prof !1
above:
  %is.there = call i1 @trend_probe_3_unwind(ptr %thread, ptr %frame)
  br i1 %is.there, label %top.is, label %done
top.is:
{counted}  %own = add i64 %counted, 0
{timed}  call void @trend.tick(ptr %thread, ptr %frame)
{timed}  %passed.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
{timed}  %own = load i64, ptr %passed.at
{dynamic}  %again.at = getelementptr %Frame, ptr %frame, i64 0, i32 7
{dynamic}  %again = load i64, ptr %again.at
{dynamic}  %kernel.at = getelementptr %Frame, ptr %frame, i64 0, i32 8
{dynamic}  %kernel = load i64, ptr %kernel.at
{dynamic}  %threads.at = getelementptr %Frame, ptr %frame, i64 0, i32 9
{dynamic}  %threads = load i64, ptr %threads.at
{dynamic}  %written = or i64 %kernel, %threads
{dynamic}  %watched = or i64 %again, %written
{dynamic}  %is.plain = icmp eq i64 %watched, 0
{dynamic}  br i1 %is.plain, label %plain, label %whole, !prof !1
{dynamic}whole:
{dynamic}  call void @trend_probe_3_end(ptr %thread, ptr %frame, i64 %count, i64 %own)
{dynamic}  br label %done
{dynamic}plain:
  %carried.at = getelementptr %Frame, ptr %frame, i64 0, i32 2
  %carried = load i64, ptr %carried.at
  %cells = add i64 %carried, %count
  ; What a handler left by a jump can be missing.
  %size = call i64 @llvm.smax.i64(i64 %cells, i64 0)
  %inclusive.at = getelementptr %Frame, ptr %frame, i64 0, i32 3
  %inclusive = load i64, ptr %inclusive.at
  %cost = add i64 %inclusive, %own
  %table.at = getelementptr %Frame, ptr %frame, i64 0, i32 6
  %table = load ptr, ptr %table.at
  %parent = getelementptr %Frame, ptr %frame, i64 -1
  store i32 0, ptr %frame
  ; Afterwards a handler's frame may take the place of this one.
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
  %depth.at = getelementptr %Table, ptr %table, i64 0, i32 8
  %depth = load i64, ptr %depth.at
  %depth.new = sub i64 %depth, 1
  store i64 %depth.new, ptr %depth.at
  %last.at = getelementptr %Table, ptr %table, i64 0, i32 7
  %entry = load ptr, ptr %last.at
  %last.size = load i64, ptr %entry
{static}  %is.same = icmp eq i64 %last.size, %size
{dynamic}  %is.size = icmp eq i64 %last.size, %size
{dynamic}  %last.again.at = getelementptr %Entry, ptr %entry, i64 0, i32 1
{dynamic}  %last.again = load i64, ptr %last.again.at
{dynamic}  %is.first = icmp eq i64 %last.again, 0
{dynamic}  %is.same = and i1 %is.size, %is.first
  br i1 %is.same, label %same, label %other, !prof !2
other:
  call void @trend_probe_3_record(ptr %table, i64 %size, i64 %cost, i64 %own)
  br label %done
same:
  %calls.at = getelementptr %Entry, ptr %entry, i64 0, i32 2
  %calls = load i64, ptr %calls.at
  %calls.new = add i64 %calls, 1
  store i64 %calls.new, ptr %calls.at
  %least.at = getelementptr %Entry, ptr %entry, i64 0, i32 3
  %least = load i64, ptr %least.at
  %least.new = call i64 @llvm.umin.i64(i64 %least, i64 %cost)
  store i64 %least.new, ptr %least.at
  %greatest.at = getelementptr %Entry, ptr %entry, i64 0, i32 4
  %greatest = load i64, ptr %greatest.at
  %greatest.new = call i64 @llvm.umax.i64(i64 %greatest, i64 %cost)
  store i64 %greatest.new, ptr %greatest.at
  %sum.at = getelementptr %Entry, ptr %entry, i64 0, i32 5
  %sum = load i64, ptr %sum.at
  %sum.new = add i64 %sum, %cost
  store i64 %sum.new, ptr %sum.at
  %squares.at = getelementptr i8, ptr %entry, i64 48
  %squares = load i128, ptr %squares.at, align 8
  %cost.wide = zext i64 %cost to i128
  %square = mul i128 %cost.wide, %cost.wide
  %squares.new = add i128 %squares, %square
  store i128 %squares.new, ptr %squares.at, align 8
  %outermost.at = getelementptr i8, ptr %entry, i64 64
  %outermost = load i64, ptr %outermost.at
  %is.outermost = icmp eq i64 %depth.new, 0
  %outer.cost = select i1 %is.outermost, i64 %cost, i64 0
  %outermost.new = add i64 %outermost, %outer.cost
  store i64 %outermost.new, ptr %outermost.at
  %own.at = getelementptr i8, ptr %entry, i64 72
  %entry.own = load i64, ptr %own.at
  %entry.own.new = add i64 %entry.own, %own
  store i64 %entry.own.new, ptr %own.at
  %own.least.at = getelementptr i8, ptr %entry, i64 80
  %own.least = load i64, ptr %own.least.at
  %own.least.new = call i64 @llvm.umin.i64(i64 %own.least, i64 %own)
  store i64 %own.least.new, ptr %own.least.at
  %own.greatest.at = getelementptr i8, ptr %entry, i64 88
  %own.greatest = load i64, ptr %own.greatest.at
  %own.greatest.new = call i64 @llvm.umax.i64(i64 %own.greatest, i64 %own)
  store i64 %own.greatest.new, ptr %own.greatest.at
  ; What called nothing has the same squares.
  %is.leaf = icmp eq i64 %inclusive, 0
  br i1 %is.leaf, label %done, label %called
called:
  %called.squares.at = getelementptr i8, ptr %entry, i64 96
  %called.squares = load i128, ptr %called.squares.at, align 8
  %both = add i64 %cost, %own
  %both.wide = zext i64 %both to i128
  %inclusive.wide = zext i64 %inclusive to i128
  %product = mul i128 %inclusive.wide, %both.wide
  %called.squares.new = add i128 %called.squares, %product
  store i128 %called.squares.new, ptr %called.squares.at, align 8
  br label %done
done:
  ret void
}

; `cells` clears the bits of an address within its cell; it is -1 where they are known to be clear.
define hidden i64 @trend.shadow(i64 %address, i64 %mask, i64 %cells) alwaysinline nounwind {
  %cell = and i64 %address, %cells
  %wide = shl i64 %cell, {widened}
  %inside = and i64 %wide, {inside}
  %shadow = xor i64 %inside, %mask
  ret i64 %shadow
}

; A cell is new to the caller as well, and to all its callers down to the one that knows it: mostly that is near.
define hidden preserve_mostcc void @trend.first.read(ptr %frame, i32 %old, i64 %shadow, i64 %mask) noinline nounwind cold {
{dynamic}  call void @trend_probe_3_first_read_watched(ptr %frame, i64 %mask, i32 %old, i64 %shadow)
{dynamic}  ret void
{static}begin:
{static}  %parent = getelementptr %Frame, ptr %frame, i64 -1
{static}  %more.at = getelementptr %Frame, ptr %parent, i64 0, i32 2
{static}  %more = load i64, ptr %more.at
{static}  %more.new = add i64 %more, 1
{static}  store i64 %more.new, ptr %more.at
{static}  %is.first = icmp eq i32 %old, 0
{static}  br i1 %is.first, label %done, label %next
{static}next:
{static}  %at = phi ptr [ %parent, %begin ], [ %below, %further ]
{static}  %steps = phi i32 [ 0, %begin ], [ %steps.new, %further ]
{static}  %below = getelementptr %Frame, ptr %at, i64 -1
{static}  %id = load i32, ptr %below
{static}  %knows = icmp ule i32 %id, %old
{static}  br i1 %knows, label %found, label %further
{static}further:
{static}  %steps.new = add i32 %steps, 1
{static}  %is.far = icmp eq i32 %steps.new, 16
{static}  br i1 %is.far, label %far, label %next, !prof !0
{static}found:
{static}  %less.at = getelementptr %Frame, ptr %below, i64 0, i32 2
{static}  %less = load i64, ptr %less.at
{static}  %less.new = sub i64 %less, 1
{static}  store i64 %less.new, ptr %less.at
{static}  ret void
{static}far:
{static}  call void @trend_probe_3_known_far_below(ptr %below, i32 %old)
{static}  ret void
{static}done:
{static}  ret void
}

define hidden preserve_mostcc void @trend.first.write(ptr %frame, i64 %mask, i32 %cells, i64 %shadow) noinline nounwind cold {
  call void @trend_probe_3_first_write(ptr %frame, i64 %mask, i32 %cells, i64 %shadow)
  ret void
}

; A read within one cell.
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
  call preserve_mostcc void @trend.first.read(ptr %frame, i32 %old, i64 %shadow, i64 %mask)
  br label %done
done:
  ret void
}

; A read of the cells of two addresses: of a value that need not lie within one.
define hidden void @trend.read.ends(ptr %pointer, i64 %last, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
  %end = getelementptr i8, ptr %pointer, i64 %last
  call void @trend.read(ptr %pointer, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of)
  call void @trend.read(ptr %end, i64 {cell_mask}, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of)
  ret void
}

; A read of two neighbouring cells of 4 bytes.
define hidden void @trend.read.pair(ptr %pointer, i64 %mask, ptr %frame, i32 %id, i32 %parent, ptr %count.of) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  %old = load i64, ptr %at, align 4
  %both = call i64 @trend.twice(i32 %id)
  %is.known = icmp eq i64 %old, %both
  br i1 %is.known, label %done, label %other, !prof !4
other:
  store i64 %both, ptr %at, align 4
  %low = trunc i64 %old to i32
  %high.wide = lshr i64 %old, 32
  %high = trunc i64 %high.wide to i32
  %low.new = icmp {below} i32 %low, %id
  %high.new = icmp {below} i32 %high, %id
  %low.one = zext i1 %low.new to i64
  %high.one = zext i1 %high.new to i64
  %news = add i64 %low.one, %high.one
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %news
  store i64 %count.new, ptr %count.of
  %low.cold = icmp {below} i32 %low, %parent
  br i1 %low.cold, label %cold.low, label %then, !prof !0
cold.low:
  call preserve_mostcc void @trend.first.read(ptr %frame, i32 %low, i64 %shadow, i64 %mask)
  br label %then
then:
  %high.cold = icmp {below} i32 %high, %parent
  br i1 %high.cold, label %cold.high, label %done, !prof !0
cold.high:
  %high.shadow = add i64 %shadow, 4
  call preserve_mostcc void @trend.first.read(ptr %frame, i32 %high, i64 %high.shadow, i64 %mask)
  br label %done
done:
  ret void
}

; A read of four neighbouring cells of 4 bytes.
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
  br i1 %is.known, label %done, label %other, !prof !4
other:
  call void @trend.read.range(ptr %pointer, i64 16, i64 %mask, ptr %frame, ptr %count.of)
  store <4 x i32> %ids, ptr %at, align 4
  br label %done
done:
  ret void
}

define hidden void @trend.read.range(ptr %pointer, i64 %length, i64 %mask, ptr %frame, ptr %count.of) alwaysinline nounwind {
  %address = ptrtoint ptr %pointer to i64
  %new = call i64 @trend_probe_3_read_range(ptr %frame, i64 %mask, i32 {shift}, i64 %address, i64 %length, i64 0)
  %count = load i64, ptr %count.of
  %count.new = add i64 %count, %new
  store i64 %count.new, ptr %count.of
  ret void
}

; Field 4 or 5 of the frame: what `trend.save` left there.
define hidden i64 @trend.saved(ptr %frame, i64 %field) alwaysinline nounwind {
  %is.own = icmp eq i64 %field, 5
  %count.at = getelementptr %Frame, ptr %frame, i64 0, i32 4
  %own.at = getelementptr %Frame, ptr %frame, i64 0, i32 5
  %at = select i1 %is.own, ptr %own.at, ptr %count.at
  %value = load volatile i64, ptr %at
  ret i64 %value
}

; A call of a function that is not probed, as far as this module knows.
define hidden void @trend.external(ptr %function) alwaysinline nounwind {
begin:
  %calls = load ptr, ptr %function
  %is.new = icmp eq ptr %calls, null
  br i1 %is.new, label %new, label %known, !prof !0
new:
  %calls.new = call ptr @trend_probe_3_external(ptr %function)
  br label %known
known:
  %at = phi ptr [ %calls, %begin ], [ %calls.new, %new ]
  %before = load i64, ptr %at
  %after = add i64 %before, 1
  store i64 %after, ptr %at
  ret void
}

; A write within one cell.
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

define hidden void @trend.write.pair(ptr %pointer, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer) alwaysinline nounwind {
begin:
  %address = ptrtoint ptr %pointer to i64
  %shadow = xor i64 %address, %mask
  %at = inttoptr i64 %shadow to ptr
  %both = call i64 @trend.twice(i32 %id)
  store i64 %both, ptr %at, align 4
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
{static}  %address = ptrtoint ptr %pointer to i64
{static}  %shadow = xor i64 %address, %mask
{static}  %at = inttoptr i64 %shadow to ptr
{static}  %one = insertelement <4 x i32> poison, i32 %id, i64 0
{static}  %ids = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
{static}  store <4 x i32> %ids, ptr %at, align 4
{dynamic}  %rest = getelementptr i8, ptr %pointer, i64 8
{dynamic}  call void @trend.write.pair(ptr %pointer, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer)
{dynamic}  call void @trend.write.pair(ptr %rest, i64 %mask, ptr %frame, i32 %id, i64 %flip, i32 %writer)
  ret void
}

define hidden void @trend.write.range(ptr %pointer, i64 %length, i64 %mask, ptr %frame) alwaysinline nounwind {
  %address = ptrtoint ptr %pointer to i64
  %none = call i64 @trend_probe_3_write_range(ptr %frame, i64 %mask, i32 {shift}, i64 %address, i64 %length, i64 0)
  ret void
}

; New memory for whatever runs, of which the first `kept` bytes were moved from `old`.
define hidden void @trend.given(ptr %memory, i64 %length, ptr %old, i64 %kept) alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_3_thread)
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
  %moved = call i64 @trend_probe_3_moved(ptr %top, i64 %mask, i32 {shift}, i64 %from, i64 %to, i64 %same)
  br label %give
give:
  %start = add i64 %to, %same
  %rest = sub i64 %length, %same
  %given = call i64 @trend_probe_3_given(ptr %top, i64 %mask, i32 {shift}, i64 %start, i64 %rest, i64 0)
  br label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{!"branch_weights", i32 2, i32 1}
!3 = !{!"branch_weights", i32 1, i32 4}
!4 = !{!"branch_weights", i32 4, i32 1}
